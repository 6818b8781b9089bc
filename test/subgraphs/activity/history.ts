/** A made-up past of all five kinds: written as the services write it, and remembered, to be held against the timeline. */

import type { App } from '#core/context/app.ts'
import type { Statements } from '#core/data/db.ts'
import { bookOf, ensureSequence, lockSequence } from '#core/data/gapless-sequence.ts'
import { appendEvents } from '#core/events/append.ts'
import { type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { newId } from '#core/values/id.ts'
import type { AllInOneOptions } from '#gateway/all-in-one.ts'
import { loadServices } from '#gateway/load-services.ts'
import { REWARD } from '#subgraphs/loyalty/kind.ts'
import { MESSAGE } from '#subgraphs/messaging/kind.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'
import { RECHARGE } from '#subgraphs/prepaid/kind.ts'
import { REDEMPTION } from '#subgraphs/redemption/kind.ts'

export const ALL_KINDS: readonly TransactionKind[] = [PAYMENT, RECHARGE, MESSAGE, REWARD, REDEMPTION]

/** One transaction as it was written. */
export interface Written {
  readonly id: string
  readonly kind: TransactionKind
  readonly code: number
  readonly position: bigint
  readonly clientId: string
  readonly accountNumber: string
  readonly mobileNumber: string | null
  readonly createdAt: Date
  status: string
  reason: string | null
  readonly clientCorrelatorId: string | null
  readonly correlator: string | null
  readonly currency: string | null
  readonly amount: string | null
  readonly points: string | null
  readonly channel: string
  readonly merchant: string
  readonly text: string
  /** `serviceId/productId`, or `productId` alone. */
  readonly product: string
  readonly method: string
  /** Time until its final status; null while it has none. */
  settledMs: number | null
}

export type Random = () => number

/** The same numbers for the same seed (mulberry32). */
export const createRandom = (seed: number): Random => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!

/** Accounts with their numbers, in a directory of their own. */
export const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  '700001': ['96897000001', '96897000002', '96897000003'],
  '700002': ['96897000004'],
  '700003': ['96897000005'],
}
/** Numbers in transactions of an account: one of them came from an account that has no line any more. */
export const POSTED: typeof ACCOUNTS = { ...ACCOUNTS, '700004': ['96897000004'] }
/** Categories of the accounts; one has none. */
export const CATEGORIES: Readonly<Record<string, string | null>> = {
  '700001': 'residential',
  '700002': 'government',
  '700003': null,
  '700004': 'residential',
}
export const PARTNERS = ['act-shop', 'act-bank'] as const

export const fillDirectory = async ({ db }: App) => {
  for (const kind of ALL_KINDS) await ensureSequence(db, kind)
  await db.account.createMany({
    data: Object.keys(POSTED).map(accountNumber => ({
      accountNumber,
      customerType: 14,
      acctCategory: CATEGORIES[accountNumber],
    })),
  })
  await db.line.createMany({
    data: Object.entries(ACCOUNTS).flatMap(([accountNumber, numbers]) =>
      numbers.map(number => ({ kind: 'phone', number, accountNumber })),
    ),
  })
}

const bodyOf = ({
  kind,
  channel,
  merchant,
  text,
  product,
  method,
}: Pick<Written, 'kind' | 'channel' | 'merchant' | 'text' | 'product' | 'method'>) => {
  const [productId, serviceId] = product.split('/').toReversed()
  const meta = {
    ...(channel && { channel }),
    ...(merchant && { merchantName: merchant }),
    ...(productId && { productId, serviceId }),
    ...(method && { paymentMethod: method }),
  }
  switch (kind.name) {
    case 'PAYMENT':
      return { paymentInfo: { paymentInformation: { description: text }, paymentMetaData: meta } }
    case 'RECHARGE':
      return { rechargeInfo: { description: text, rechargeMetaData: meta } }
    case 'REWARD':
      return { rewardInformation: { description: text }, rewardMetaData: meta }
    case 'REDEMPTION':
      return { redemptionInformation: { description: text }, redemptionMetaData: meta }
    default:
      return { sender: text }
  }
}

const REASONS = ['The points do not suffice', 'No answer of 96897000001', 'No answer of 96897000002']

/** As a summary shows it. */
export const reasonOf = ({ reason }: Written): string | null => reason?.replace(/\d{3,}/, '…') ?? null

const idText = (random: Random): string => Math.floor(random() * 1e9).toString(36)

const make = (random: Random, kind: TransactionKind, createdAt: Date): Omit<Written, 'position'> => {
  const [accountNumber, numbers] = pick(random, Object.entries(POSTED))
  const money = kind === PAYMENT || kind === RECHARGE
  const points = kind === REWARD || kind === REDEMPTION
  const isMessage = kind === MESSAGE
  return {
    id: newId(createdAt),
    kind,
    code: ALL_KINDS.indexOf(kind),
    clientId: pick(random, PARTNERS),
    accountNumber,
    mobileNumber: kind === PAYMENT && random() < 0.4 ? null : pick(random, numbers),
    createdAt,
    status: kind.initial,
    reason: null,
    clientCorrelatorId: random() < 0.5 ? null : `Own-${idText(random)}'x ${idText(random)}`,
    correlator: random() < 0.2 ? null : `req-${idText(random)}:{${idText(random)}}`,
    currency: money ? pick(random, ['OMR', 'OMR', 'USD']) : null,
    amount: money ? (random() * 50 + 0.001).toFixed(2) : null,
    points: points ? (random() * 500 + 1).toFixed(2) : null,
    channel: isMessage ? '' : pick(random, ['', 'Web', 'Kiosk']),
    merchant: isMessage ? '' : pick(random, ['', 'Nizwa Mart', "O'Brien & Söhne", 'سوق مطرح']),
    text: isMessage ? pick(random, ['BANK', 'SHOP']) : pick(random, ['March bill', 'Top-up', 'فاتورة']),
    product: isMessage ? '' : pick(random, ['', 'tv/basic', 'tv/sports', 'data']),
    method: money ? pick(random, ['', 'cash', 'credit_card']) : '',
    settledMs: null,
  }
}

const insert = (tx: Statements, row: Written) => tx.$executeRaw`
  INSERT INTO ${tableOf(row.kind)} (id, position, client_id, client_position, created_at, reference_code, status,
    account_number, mobile_number, currency, amount, points, client_correlator_id, correlator, body)
  VALUES (${row.id}::uuid, ${row.position}, ${row.clientId}, ${row.position}, ${row.createdAt}::timestamptz,
    ${`R-${row.position}`}, ${row.status}, ${row.accountNumber}, ${row.mobileNumber}, ${row.currency},
    ${row.amount}::numeric, ${row.points}::numeric, ${row.clientCorrelatorId}, ${row.correlator}, ${JSON.stringify(bodyOf(row))}::jsonb)`

const append = async (tx: Statements, written: Omit<Written, 'position'>): Promise<Written> => {
  const { position } = await lockSequence(tx, written.kind)
  const row = { ...written, position: position + 1n }
  await insert(tx, row)
  await tx.$executeRaw`
    UPDATE ${bookOf(row.kind)} SET position = position + 1 WHERE name = ${row.kind.table} AND client_id = ''`
  return row
}

/** Posts one transaction of a random kind at each of the times. */
export const post = ({ db }: Pick<App, 'db'>, random: Random, times: readonly Date[]): Promise<Written[]> =>
  db.$transaction(
    async tx => {
      const written: Written[] = []
      for (const time of times) written.push(await append(tx, make(random, pick(random, ALL_KINDS), time)))
      return written
    },
    { timeout: 30_000 },
  )

/** Sets the status; what was carried out and is taken back keeps the time when it was carried out. */
const setStatus = (tx: Statements, row: Written, status: string, reason: string, ms: number) => {
  const isFinal = row.kind.outcomes[status] !== 'PENDING'
  Object.assign(row, { status, reason, settledMs: isFinal ? (row.settledMs ?? ms) : null })
  const completedAt = row.settledMs === null ? null : new Date(row.createdAt.getTime() + row.settledMs)
  return tx.$executeRaw`
    UPDATE ${tableOf(row.kind)} SET status = ${status}, reason = ${reason}, completed_at = ${completedAt}::timestamptz
    WHERE id = ${row.id}::uuid`
}

const toEvent = (row: Written, now: Date) => {
  const completed = row.kind.outcomes[row.status] === 'COMPLETED'
  return {
    eventid: newId(),
    kind: row.kind.name,
    eventType: completed ? ('PAYMENT_COMPLETED' as const) : ('PAYMENT_FAILED' as const),
    eventTime: row.settledMs === null ? now : new Date(row.createdAt.getTime() + row.settledMs),
    transactionId: row.id,
    operationStatus: row.status,
    status: completed ? ('succeeded' as const) : ('failed' as const),
    description: row.reason ?? '',
    clientCorrelatorId: null,
    paymentDate: null,
    clientId: row.clientId,
    accountNumber: row.accountNumber,
    mobileNumber: row.mobileNumber,
  }
}

/** Gives each row a status that may follow its own, with the event, in one transaction. */
export const settle = ({ db }: Pick<App, 'db'>, random: Random, rows: readonly Written[]): Promise<void> =>
  db.$transaction(
    async tx => {
      for (const row of rows)
        await setStatus(
          tx,
          row,
          pick(random, row.kind.transitions[row.status]!),
          pick(random, REASONS),
          Math.floor(random() * 90_000),
        )
      await appendEvents(
        tx,
        rows.map(row => toEvent(row, new Date())),
      )
    },
    { timeout: 30_000 },
  )

/** Whether the row can go on from where it is. */
export const isOpen = ({ kind, status }: Written): boolean => (kind.transitions[status]?.length ?? 0) > 0

export const outcomeOf = ({ kind, status }: Written): string => kind.outcomes[status]!

/** Newest first, as the timeline has it. */
export const inOrder = (rows: readonly Written[]): Written[] =>
  rows.toSorted(
    (a, b) =>
      b.createdAt.getTime() - a.createdAt.getTime() || b.code - a.code || Number(b.position - a.position),
  )

/** Services that settle nothing by themselves: here the history says what becomes of a transaction. */
export const unsettled = async (app: App): Promise<AllInOneOptions> => {
  const rest = async () => undefined
  const services = await loadServices(app)
  return {
    services: services.map(one => (one.name === 'activity' ? one : { ...one, start: rest, settled: rest })),
  }
}
