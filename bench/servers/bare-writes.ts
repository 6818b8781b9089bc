/**
 * Posting a payment by hand: one statement and one commit per request. Three ways of it, because dense numbers have
 * a price when every request commits alone:
 * - `counted`: dense numbers, as ours gives them, by updating its two counters in the statement. Whoever
 *   locks a counter keeps it until the commit, so commits follow one another;
 * - `sequence`: numbers from sequences, which have gaps and are not in commit order; less is promised, so it is quicker;
 * - `settled`: with sequences, and with what settling writes for each payment as well (status, ledger entry, balance,
 *   event), all in the one statement; ours writes these after the response, within the measured time.
 */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { v7 } from 'uuid'
import { toPayment } from './bare-reads.ts'

const COLUMNS = `id, position, client_id, client_position, created_at, client_correlator_id, reference_code, status,
  account_number, mobile_number, currency, amount, points, body, webhook_url, webhook_token`
const VALUES = 'now(), $3, $4, $5, $6, $7, $8, $9::numeric, NULL, $10::jsonb, NULL, NULL'
const ANSWER = 'RETURNING id, body, status, created_at, completed_at, webhook_url'
const SEQUENCES = `nextval('bench_position'), $2, nextval('bench_client_position')`

const STATEMENTS: Record<string, string> = {
  counted: `
    WITH book AS (
      UPDATE books.book SET position = position + 1, written_at = now() WHERE name = 'payment' AND client_id = ''
      RETURNING position),
    mine AS (
      INSERT INTO books.book (name, client_id, position) SELECT 'payment', $2, 1 FROM book
      ON CONFLICT (name, client_id) DO UPDATE SET position = books.book.position + 1 RETURNING position)
    INSERT INTO postpaid.payment (${COLUMNS})
    SELECT $1::uuid, book.position, $2, mine.position, ${VALUES} FROM book, mine ${ANSWER}`,
  sequence: `INSERT INTO postpaid.payment (${COLUMNS}) VALUES ($1::uuid, ${SEQUENCES}, ${VALUES}) ${ANSWER}`,
  settled: `
    WITH entry AS (
      INSERT INTO ledger.entry (transaction_id, kind, holder, currency, amount)
      VALUES ($1::uuid, 'dues', $6, $8, -$9::numeric)),
    balance AS (
      INSERT INTO ledger.balance (kind, holder, currency, amount) VALUES ('dues', $6, $8, -$9::numeric)
      ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = ledger.balance.amount + excluded.amount),
    event AS (
      INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status,
        status, description, client_correlator_id, payment_date, client_id, account_number, mobile_number)
      VALUES (nextval('bench_event_position'), gen_random_uuid(), 'PAYMENT', 'PAYMENT_COMPLETED', now(), $1::uuid,
        'succeeded', 'succeeded', 'The payment was posted to the account', $3, now(), $2, $6, $7))
    INSERT INTO postpaid.payment (${COLUMNS}) VALUES ($1::uuid, ${SEQUENCES}, ${VALUES}) ${ANSWER}`,
}

interface Body {
  readonly paymentTransaction: {
    readonly clientCorrelatorId: string
    readonly referenceCode: string
    readonly customerInfo: { readonly customerAccountNumber: string; readonly phoneNumber: string }
    readonly paymentInfo: {
      readonly paymentInformation: { readonly amount: number; readonly currency: string }
    }
  }
}

const valuesOf = ({ paymentTransaction: payment }: Body, clientId: string, status: string) => {
  const { customerInfo, paymentInfo } = payment
  const { amount, currency } = paymentInfo.paymentInformation
  const { customerAccountNumber, phoneNumber } = customerInfo
  const { clientCorrelatorId, referenceCode } = payment
  const holder = [customerAccountNumber, phoneNumber, currency, amount]
  return [v7(), clientId, clientCorrelatorId, referenceCode, status, ...holder, JSON.stringify(payment)]
}

export function registerPaymentWrites(server: FastifyInstance, pool: pg.Pool): void {
  for (const [name, text] of Object.entries(STATEMENTS)) {
    const status = name === 'settled' ? 'succeeded' : 'processing'
    server.post<{ Body: Body }>(`/${name}/payments`, async ({ body, clientId }, reply) => {
      const { rows } = await pool.query({ name, text, values: valuesOf(body, clientId, status) })
      return reply.code(201).send(toPayment(rows[0]))
    })
  }
}
