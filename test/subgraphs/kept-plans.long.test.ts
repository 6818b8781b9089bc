/**
 * The rows that a statement of a write reads do not depend on how full the tables were when it was planned: connections keep
 * their plans, and a plan that was made while a table was empty is still used when it is not.
 */
import { expect, it } from 'vitest'
import type { Limits } from '#core/access/principal.ts'
import { createLedger } from '#core/charging/ledger.ts'
import type { Statements } from '#core/data/db.ts'
import { appendEvents, type FirstLeases, lockEventLog, writeEvents } from '#core/events/append.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { readCorrelators } from '#core/transactions/post/check.ts'
import { readDuplicates, readSpent } from '#core/transactions/post/refusals.ts'
import { finalize, writeFinalStatuses } from '#core/transactions/settle/finalize.ts'
import { lockNew } from '#core/transactions/settle/settle.ts'
import { newId } from '#core/values/id.ts'
import { toDecimal } from '#core/values/money.ts'
import { claim } from '#core/webhooks/claim.ts'
import { type AttemptOutcome, recordOutcomes } from '#core/webhooks/outcomes.ts'
import { changeEntries, createEntries } from '#subgraphs/activity/projection/entries.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { type Case, expectToReadLittle, FILLED, TAKEN } from '../support/kept-plans.ts'
import { notOnCitus } from '../support/not-on-citus.ts'

const addPayments = (tx: Statements) => tx.$executeRaw`
  INSERT INTO postpaid.payment (id, position, client_id, client_position, created_at, client_correlator_id,
    reference_code, status, account_number, currency, amount, body)
  SELECT gen_random_uuid(), n, 'kept', n, now(), 'c-' || n, 'r-' || n, 'processing', 'a-' || n % ${TAKEN}::int, 'OMR', 1, '{}'
  FROM generate_series(1, ${FILLED}::int) n`

const somePayments = (tx: Statements) => tx.$queryRaw<TransactionRow<never>[]>`
  SELECT ${COLUMNS} FROM postpaid.payment t WHERE t.position BETWEEN 1 AND ${TAKEN} ORDER BY t.position`

const done = (rows: readonly TransactionRow[]) =>
  rows.map(row => ({ row, result: { outcome: 'done' } as const }))

const orderFor = (accountNumber: string) => ({
  transactionId: newId(),
  ...PAYMENT.charge,
  accountNumber,
  currency: 'OMR',
  amount: toDecimal('1'),
})

const correlated = Array.from({ length: TAKEN }, (_, index) => ({
  clientId: 'kept',
  clientCorrelatorId: `c-${index + 1}`,
}))

const LIMITS: Limits = { currencies: ['OMR'], dummyCards: false, monthlyAmount: toDecimal('1') }

/** One payment of a hundred is for this account. */
const limited = {
  ...{ clientId: 'kept', limits: LIMITS, accountNumber: 'a-1', currency: 'OMR', amount: toDecimal('1') },
}

const referring = Array.from({ length: TAKEN }, (_, index) => ({
  ...{ ...limited, id: newId(), correlator: '', body: {}, limits: { ...LIMITS, monthlyAmount: undefined } },
  ...{ accountNumber: `a-${(index + 1) % TAKEN}`, referenceCode: `r-${index + 1}` },
}))

const webhooks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...({
      eventid: newId(),
      kind: 'PAYMENT',
      eventType: 'PAYMENT_COMPLETED',
      eventTime: new Date(0),
    } as const),
    ...({
      transactionId: newId(),
      operationStatus: 'succeeded',
      status: 'succeeded',
      description: '',
    } as const),
    ...{
      clientCorrelatorId: null,
      paymentDate: null,
      clientId: 'kept',
      accountNumber: null,
      mobileNumber: null,
    },
    webhook: { deliveryId: newId(), url: 'http://a', origin: `http://r${index % 20}.example`, token: null },
  }))

const addWebhooks = (tx: Statements) => appendEvents(tx, webhooks(FILLED))

/** Writes webhooks with a lease each; the endpoint of the first one is paused. */
const writeLeased = async (tx: Statements, count: number, expected: number) => {
  const leases: FirstLeases = {
    take: events => new Map(events.map(({ webhook }) => [webhook!.deliveryId, new Date()])),
    written: (leased, waiting) => expect([leased.size, waiting]).toEqual([expected, count - expected]),
    isComplete: true,
    send: () => undefined,
    giveBack: () => undefined,
  }
  await writeEvents(tx, await lockEventLog(tx), webhooks(count), leases)
}

const CLAIM = {
  clients: [{ clientId: 'kept', slots: TAKEN, most: TAKEN, after: '' }],
  ...{ perOrigin: TAKEN, known: [], kinds: ['PAYMENT'] },
}

const outcomeOf = ({ id }: { id: string }): AttemptOutcome => ({
  ...{ id, clientId: 'kept', origin: 'http://r0.example', lease: new Date() },
  ...{ status: 'DELIVERED', lastStatus: 204, lastError: null, waitMs: null },
  counts: true,
  logged: { at: new Date(), status: 204, durationMs: 1, error: null },
})

const noteSome = async (tx: Statements) => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM events.delivery ORDER BY position LIMIT ${TAKEN}`
  expect(await recordOutcomes(tx, rows.map(outcomeOf), 0)).toEqual({ count: TAKEN, afterFailures: false })
}

const RANGE = { from: 0n, to: BigInt(TAKEN), timezone: 'Asia/Muscat' }
const NOTHING = { ...RANGE, to: 0n }

/** Entries of all payments, which have all been settled since, and events of the first of them. */
const addSettled = async (tx: Statements) => {
  await addPayments(tx)
  await createEntries(tx, PAYMENT, { ...RANGE, to: BigInt(FILLED) })
  await tx.$executeRaw`UPDATE postpaid.payment SET status = 'succeeded'`
  await tx.$executeRaw`
    INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status, status,
      description, client_id)
    SELECT position, gen_random_uuid(), 'PAYMENT', 'PAYMENT_COMPLETED', now(), id, 'succeeded', 'succeeded', '', 'kept'
    FROM postpaid.payment`
}

const planProjection = async (tx: Statements) => {
  await createEntries(tx, PAYMENT, NOTHING)
  await changeEntries(tx, PAYMENT, NOTHING)
}

const CASES: Readonly<Record<string, Case>> = {
  'looking for repeats': {
    table: ['postpaid', 'payment'],
    plan: tx => readCorrelators(tx, PAYMENT, correlated),
    fill: addPayments,
    act: async tx => expect((await readCorrelators(tx, PAYMENT, correlated)).size).toBe(TAKEN),
  },
  'looking for duplicates': {
    table: ['postpaid', 'payment'],
    plan: tx => readDuplicates(tx, PAYMENT, referring),
    fill: addPayments,
    act: async tx => {
      const { references } = await readDuplicates(tx, PAYMENT, referring)
      expect(references.size).toBe(TAKEN)
    },
  },
  'adding up what was spent': {
    table: ['postpaid', 'payment'],
    plan: tx => readSpent(tx, PAYMENT, [limited], new Date(0)),
    fill: addPayments,
    act: async tx => expect((await readSpent(tx, PAYMENT, [limited], new Date(0))).size).toBe(1),
  },
  'finalizing transactions': {
    table: ['postpaid', 'payment'],
    plan: tx => writeFinalStatuses(tx, PAYMENT, []),
    fill: addPayments,
    act: async tx => expect(await finalize(tx, settlement, done(await somePayments(tx)))).toHaveLength(TAKEN),
  },
  'taking in what is new': {
    table: ['postpaid', 'payment'],
    plan: tx => lockNew(tx, PAYMENT, { from: 0n, to: 0n }),
    fill: addPayments,
    act: async tx => expect(await lockNew(tx, PAYMENT, { from: 0n, to: BigInt(TAKEN) })).toHaveLength(TAKEN),
  },
  'moving balances': {
    table: ['ledger', 'balance'],
    plan: tx => createLedger().post(tx, [orderFor('first')]),
    fill: tx => tx.$executeRaw`
      INSERT INTO ledger.balance (kind, holder, currency, amount)
      SELECT 'dues', n::text, 'OMR', 0 FROM generate_series(1, ${FILLED}::int) n`,
    act: tx =>
      createLedger().post(
        tx,
        Array.from({ length: TAKEN }, (_, index) => orderFor(`${index + 1}`)),
      ),
  },
  'claiming webhooks': {
    table: ['events', 'delivery'],
    plan: tx => claim(tx, CLAIM, 0),
    fill: addWebhooks,
    act: async tx => expect((await claim(tx, CLAIM, 0)).get('kept')!.deliveries).toHaveLength(TAKEN),
  },
  'reading the events of claimed webhooks': {
    table: ['events', 'event'],
    plan: tx => claim(tx, CLAIM, 0),
    fill: addWebhooks,
    act: async tx => expect((await claim(tx, CLAIM, 0)).get('kept')!.deliveries).toHaveLength(TAKEN),
  },
  'looking for pauses of endpoints': {
    table: ['events', 'endpoint_health'],
    plan: tx => writeLeased(tx, 0, 0),
    fill: tx => tx.$executeRaw`
      INSERT INTO events.endpoint_health (client_id, origin, health, since, failures)
      SELECT 'kept', 'http://r' || n || '.example', CASE WHEN n BETWEEN 1 AND 19 THEN 'FAILING' ELSE 'PAUSED' END, now(), 0
      FROM generate_series(0, ${FILLED}::int) n`,
    act: tx => writeLeased(tx, TAKEN, TAKEN - Math.ceil(TAKEN / 20)),
  },
  'recording outcomes of webhooks': {
    table: ['events', 'delivery'],
    plan: tx => recordOutcomes(tx, [], 0),
    fill: addWebhooks,
    act: noteSome,
  },
  'changing timeline entries': {
    table: ['activity', 'entry'],
    plan: planProjection,
    fill: addSettled,
    act: tx => changeEntries(tx, PAYMENT, RANGE),
  },
  'reading what timeline entries have come to': {
    table: ['events', 'event'],
    plan: planProjection,
    fill: addSettled,
    act: tx => changeEntries(tx, PAYMENT, RANGE),
  },
}

it.skipIf(notOnCitus('plans and statistics of one server')).each(Object.entries(CASES))(
  'PLAN-01 %s reads next to nothing beyond what it takes',
  (_, one) => expectToReadLittle(one),
)
