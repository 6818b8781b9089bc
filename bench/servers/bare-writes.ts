/**
 * Posting a payment by hand: one statement and one commit per request, answered after it; `bare-settling.ts` settles what
 * was posted. Two ways of it, because dense numbers have a price when every request commits alone:
 * - `counted`: dense numbers, as ours gives them, by updating its two counters in the statement. Whoever
 *   locks a counter keeps it until the commit, so commits follow one another;
 * - `sequence`: numbers from sequences, which have gaps and are not in commit order; less is promised, so it is quicker.
 */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { v7 } from 'uuid'
import { toPayment } from './bare-reads.ts'
import { createSettler } from './bare-settling.ts'

const COLUMNS = `id, position, client_id, client_position, created_at, client_correlator_id, reference_code, status,
  account_number, mobile_number, currency, amount, body, correlator`
const VALUES = `now(), $3, $4, 'processing', $5, $6, $7, $8::numeric, $9::jsonb, $10`
const ANSWER = 'RETURNING id, body, status, created_at, completed_at, webhook_url'

const STATEMENTS: Record<string, string> = {
  counted: `
    WITH book AS (
      UPDATE postpaid.book SET position = position + 1, written_at = now() WHERE name = 'payment' AND client_id = ''
      RETURNING position),
    mine AS (
      INSERT INTO postpaid.book AS b (name, client_id, position) SELECT 'payment', $2, 1 FROM book
      ON CONFLICT (name, client_id) DO UPDATE SET position = b.position + 1 RETURNING position)
    INSERT INTO postpaid.payment (${COLUMNS})
    SELECT $1::uuid, book.position, $2, mine.position, ${VALUES} FROM book, mine ${ANSWER}`,
  sequence: `
    INSERT INTO postpaid.payment (${COLUMNS})
    VALUES ($1::uuid, nextval('bench_position'), $2, nextval('bench_client_position'), ${VALUES}) ${ANSWER}`,
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

const valuesOf = ({ paymentTransaction: payment }: Body, clientId: string) => {
  const { customerInfo, paymentInfo } = payment
  const { amount, currency } = paymentInfo.paymentInformation
  const { customerAccountNumber, phoneNumber } = customerInfo
  const { clientCorrelatorId, referenceCode } = payment
  const holder = [customerAccountNumber, phoneNumber, currency, amount]
  return [v7(), clientId, clientCorrelatorId, referenceCode, ...holder, JSON.stringify(payment), v7()]
}

export function registerPaymentWrites(server: FastifyInstance, pool: pg.Pool): void {
  const settler = createSettler(pool)
  for (const [name, text] of Object.entries(STATEMENTS)) {
    server.post<{ Body: Body }>(`/${name}/payments`, async ({ body, clientId }, reply) => {
      const { rows } = await pool.query({ name, text, values: valuesOf(body, clientId) })
      settler.wake()
      return reply.code(201).send(toPayment(rows[0]))
    })
  }
}
