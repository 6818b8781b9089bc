/**
 * Refusals of new transactions: everything that is wrong with a request at once, in an order that clients can rely on, and the
 * rows that it can conflict with. Those are read while the caller holds the sequence's lock, so they stay as they were read.
 */
import type { Config } from '#core/config/config.ts'
import type { Platform } from '#core/context/app.ts'
import { operationsOf, readDocument } from '#core/contract/openapi.ts'
import { compareFields, ShapeError } from '#core/contract/shape.ts'
import { shapeOf } from '#core/contract/validation.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import type { ClientSequences } from '#core/data/gapless-sequence.ts'
import { valuesTable } from '#core/data/sql.ts'
import { type ErrorCode, ServiceError } from '#core/errors/catalogue.ts'
import { CombinedError, combine, type Faults, faultsOf, isOfInput } from '#core/errors/faults.ts'
import { type Decimal, toDecimal } from '#core/values/money.ts'
import { startOfMonth } from '#core/values/time.ts'
import { statusesOf, type TransactionKind, tableOf } from '../kind.ts'
import {
  aboveMaximum,
  beyondLimits,
  type ExistingTransactions,
  measureOf,
  monthlyLimitOf,
  readCorrelators,
  referenceKey,
  spentKey,
} from './check.ts'
import { readTakenKeys } from './idempotency-key.ts'
import type { Measured, NewTransaction } from './validate.ts'

/**
 * The references that were posted already, by `referenceKey`. They are ordered by the index that is meant (`OFFSET 0` keeps
 * the order): where a table was empty when this was planned, any index of the client's rows looks as good, and each
 * reference would read all of them.
 */
const readReferences = async (
  db: Statements,
  kind: TransactionKind,
  transactions: readonly NewTransaction[],
) => {
  const sent = transactions.filter(
    transaction => !transaction.clientCorrelatorId && transaction.accountNumber && transaction.referenceCode,
  )
  if (sent.length === 0) return new Set<string>()
  const given = sent.map(({ clientId, referenceCode }) => ({ clientId, referenceCode }))
  const rows = await db.$queryRaw<{ clientId: string; referenceCode: string; accountNumber: string }[]>`
    SELECT DISTINCT sent."clientId", sent."referenceCode", t.account_number AS "accountNumber"
    FROM ${valuesTable(given, Prisma.sql`"clientId" text, "referenceCode" text`)} sent
    CROSS JOIN LATERAL (SELECT account_number FROM ${tableOf(kind)}
      WHERE client_id = sent."clientId" AND reference_code BETWEEN sent."referenceCode" AND sent."referenceCode"
      ORDER BY reference_code OFFSET 0) t`
  return new Set(rows.map(row => referenceKey(row)))
}

const OWNER_COLUMN = {
  accountNumber: Prisma.raw('account_number'),
  mobileNumber: Prisma.raw('mobile_number'),
}
const MEASURE_COLUMN = { amount: Prisma.raw('amount'), points: Prisma.raw('points') }

/** The sums of this month's transactions of a client and owner, by `spentKey`; transactions that failed do not count. */
export async function readSpent(
  db: Statements,
  kind: TransactionKind,
  transactions: readonly Measured[],
  month: Date,
): Promise<Map<string, Decimal>> {
  const limited = transactions.filter(
    transaction => monthlyLimitOf(kind, transaction) && measureOf(kind, transaction),
  )
  if (!kind.limit || limited.length === 0) return new Map()
  const { owner, measure } = kind.limit
  const given = limited.map(transaction => ({
    clientId: transaction.clientId,
    owner: transaction[owner] ?? '',
  }))
  const rows = await db.$queryRaw<
    { clientId: string; owner: string; currency: string | null; sum: Prisma.Decimal }[]
  >`
    SELECT limited."clientId", limited.owner, t.currency, sum(t.${MEASURE_COLUMN[measure]}) AS sum
    FROM (SELECT DISTINCT * FROM ${valuesTable(given, Prisma.sql`"clientId" text, owner text`)} given) limited
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf(kind)}
      WHERE ${OWNER_COLUMN[owner]} = limited.owner AND position >= (
        SELECT position FROM ${tableOf(kind)} WHERE created_at >= ${month} ORDER BY created_at LIMIT 1)
      ORDER BY position OFFSET 0) t
    WHERE t.client_id = limited."clientId" AND t.created_at >= ${month}
      AND t.status <> ALL (${statusesOf(kind, ['FAILED', 'CANCELLED', 'REVERSED'])}::text[])
    GROUP BY 1, 2, 3`
  return new Map(
    rows.map(row => [spentKey(row.clientId, row.owner, row.currency ?? ''), toDecimal(String(row.sum))]),
  )
}

/** The transactions that new ones could be the same as. */
export type Duplicates = Pick<ExistingTransactions, 'correlators' | 'references' | 'keys'>

/** Reads the transactions that the new ones could be the same as. */
export async function readDuplicates(
  db: Statements,
  kind: TransactionKind,
  transactions: readonly NewTransaction[],
): Promise<Duplicates> {
  const [correlators, references, keys] = await Promise.all([
    readCorrelators(db, kind, transactions),
    readReferences(db, kind, transactions),
    readTakenKeys(db, kind, transactions),
  ])
  return { correlators, references, keys }
}

/**
 * The clients that were removed while their requests were on the way. A client is removed under the locks of all sequences
 * (`cli/client-records.ts`), and only one without transactions, so it is looked for under the lock of its first one alone.
 * Where tokens come from an outside issuer, it may know clients that the database does not.
 */
export async function readRemoved(
  tx: Statements,
  { auth }: Pick<Config, 'auth'>,
  clientIds: readonly string[],
  { clients }: ClientSequences,
): Promise<ReadonlySet<string>> {
  const isKnownHere = auth.jwksUrl === undefined || auth.registeredOnly
  const first = clientIds.filter(id => !clients.has(id))
  if (first.length === 0 || !isKnownHere) return new Set()
  const known = await tx.$queryRaw<
    { id: string }[]
  >`SELECT id FROM access.client WHERE id = ANY (${first}::text[])`
  const ids = new Set(known.map(({ id }) => id))
  return new Set(first.filter(id => !ids.has(id)))
}

type Dependencies = Pick<Platform, 'db' | 'config'>

/** The part of a request that its limits are checked by, as far as it could be read. */
export type MaybeMeasured = Pick<Measured, 'clientId' | 'limits'> & Partial<Measured>

/** The limits that a request would exceed, beside what else is wrong with it; decided under the lock where nothing is. */
const limitsOf = async ({ db, config }: Dependencies, kind: TransactionKind, measured: MaybeMeasured) => {
  if (!kind.limit || measureOf(kind, measured) === undefined) return []
  const { owner, measure } = kind.limit
  const isWhole = measured[owner] !== undefined && (measure === 'points' || measured.currency !== undefined)
  // Without owner or currency it is not known how much of the month's limit was used.
  if (!isWhole) return [aboveMaximum(kind, measured)].filter(refusal => refusal !== undefined)
  const month = startOfMonth(new Date(), config.timezone)
  return beyondLimits(kind, measured, { spent: await readSpent(db, kind, [measured], month) })
}

/**
 * Throws what rules found, if they found something, and with it the limits that would be exceeded.
 * @throws ServiceError with everything.
 */
export async function throwRefusals(
  app: Dependencies,
  kind: TransactionKind,
  faults: Faults,
  measured: MaybeMeasured,
): Promise<void> {
  if (!faults.any) return
  faults.add(await limitsOf(app, kind, measured))
  faults.throwAny()
}

/** The refusals by rules of a body that has stand-ins for its faults. */
const ruleRefusals = async (
  app: Dependencies,
  kind: TransactionKind,
  validate: () => Promise<Measured>,
): Promise<readonly ServiceError[]> => {
  try {
    return await limitsOf(app, kind, await validate())
  } catch (error) {
    // A database that is away must not hide what the schema refuses.
    return error instanceof ServiceError && faultsOf(error).every(isOfInput) ? faultsOf(error) : []
  }
}

/** The refusal of a request by the contract's schema, joined by those of the rules for the rest of it. */
export async function withRules(
  app: Dependencies,
  kind: TransactionKind,
  shape: ServiceError,
  validate: () => Promise<Measured>,
): Promise<ServiceError> {
  if (!(shape instanceof ShapeError)) return shape
  const others = (await ruleRefusals(app, kind, validate)).flatMap(refusal => shape.among(refusal))
  return new ShapeError([...shape.faults, ...others], [])
}

/** The order of checks (docs/decisions.md, "Identity and access"): whose number it is, the rules, the amounts. */
const STAGE_OF: Partial<Record<ErrorCode, number>> = {
  'CARRIER_BILLING.PHONE_NUMBER_REQUIRED': 1,
  'CARRIER_BILLING.INVALID_TOKEN_CONTEXT': 1,
  INVALID_ARGUMENT: 2,
  'CARRIER_BILLING.UNAUTHORIZED_AMOUNT': 3,
  'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED': 3,
}

/**
 * Makes the function that sorts refusals: those of the code that the request is refused by come first, and each in the
 * order that the schema has its field in. A body of a wrong shape is refused by that, whatever else there is.
 */
export function refusalsInOrder(kind: TransactionKind, documents?: string): (error: unknown) => unknown {
  let compare: ReturnType<typeof compareFields> | undefined
  const createCompare = () => {
    const document = readDocument(kind.service, documents)
    const operation = operationsOf(document).find(one => one.operationId === kind.createOperation)!
    return compareFields(shapeOf(document, operation.body!))
  }
  return error => {
    if (!(error instanceof CombinedError)) return error
    compare ??= createCompare()
    const byField = compare
    const stageOf = ({ code }: ServiceError) =>
      error instanceof ShapeError && code === 'INVALID_ARGUMENT' ? 0 : (STAGE_OF[code] ?? 4)
    return combine(
      error.faults.toSorted((one, other) => stageOf(one) - stageOf(other) || byField(one.field, other.field)),
    )
  }
}
