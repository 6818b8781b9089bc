/** Transactions of every kind in one list, and one of any kind with its reason. */
import { type Caller, requireUnbound } from '#core/access/principal.ts'
import { recordReach, recordShown, visibleClient, visibleRows } from '#core/access/visibility.ts'
import type { App } from '#core/context/app.ts'
import { notFound } from '#core/errors/catalogue.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import { type Outcome, type TransactionRow, tableOf } from '#core/transactions/kind.ts'
import { isId } from '#core/values/id.ts'
import { toDecimal, toJsonNumber } from '#core/values/money.ts'
import type { Query } from '#core/values/text.ts'
import { formatOffset } from '#core/values/time.ts'
import { type Kinds, kindNamed, kindOf } from '../kinds.ts'
import { describeEntry, showNumber, type TimelineRow } from '../timeline/entry.ts'
import { timelineQuery } from '../timeline/filter.ts'
import { readTimeline } from '../timeline/read.ts'
import { pageOf, spanParameters, wordList } from './parameters.ts'

const OUTCOMES: readonly Outcome[] = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'REVERSED']

const numberOf = (value: TimelineRow['amount']): number | null =>
  value === null ? null : toJsonNumber(toDecimal(String(value)))

const nullIfEmpty = (text: string | null): string | null => text || null

type Both = Pick<
  TimelineRow,
  | 'id'
  | 'kind'
  | 'status'
  | 'amount'
  | 'currency'
  | 'points'
  | 'accountNumber'
  | 'mobileNumber'
  | 'clientCorrelatorId'
  | 'referenceCode'
  | 'correlator'
> & { readonly reason: string | null }

const shared = (row: Both, outcome: Outcome) => ({
  id: row.id,
  kind: row.kind,
  transactionOperationStatus: row.status,
  outcome,
  reason: nullIfEmpty(row.reason),
  amount: numberOf(row.amount),
  currency: row.currency,
  points: numberOf(row.points),
  customerAccountNumber: row.accountNumber,
  mobileNumber: row.mobileNumber === null ? null : showNumber(row.mobileNumber),
  clientCorrelatorId: row.clientCorrelatorId,
  referenceCode: row.referenceCode,
  correlator: row.correlator,
})

/** Makes the functions of the two paths. */
export const createTransactionReads = (app: App, kinds: Kinds) => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    /** A page of the caller's transactions. @throws ServiceError INVALID_ARGUMENT naming the parameter. */
    async list(caller: Caller, query: Query) {
      requireUnbound(caller.principal, 'listTransactions')
      const filter = {
        kinds: wordList(
          query,
          'kind',
          kinds.map(({ name }) => name),
        ),
        outcomes: wordList(query, 'outcome', OUTCOMES),
        ...spanParameters(query, app.config.timezone),
      }
      recordReach(caller)
      const asked = timelineQuery(visibleClient(caller), { ...pageOf(query), filter }, '')
      const { nodes, pageInfo } = await readTimeline<TimelineRow>(app.db, asked)
      const transactions = nodes.map(row => ({
        ...shared(row, row.outcome),
        createdAt: time(row.occurredAt),
        description: describeEntry(kindNamed(kinds, row.kind), row),
      }))
      return { transactions, next: pageInfo.hasNextPage ? pageInfo.endCursor : null }
    },
    /** One transaction. @throws ServiceError NOT_FOUND where the caller can see none. */
    async get(caller: Caller, id: string) {
      const name = isId(id)
        ? await kindOf(app.db, kinds, id.toLowerCase(), visibleRows(caller.principal))
        : undefined
      if (name === undefined) throw notFound(`Transaction ${id.slice(0, 64)}`)
      const kind = kindNamed(kinds, name)
      const [row] = await app.db.$queryRaw<TransactionRow[]>`
        SELECT ${COLUMNS} FROM ${tableOf(kind)} t WHERE t.id = ${id}::uuid`
      if (!row) throw notFound(`Transaction ${id}`)
      recordShown(caller, [row])
      return {
        ...shared({ ...row, kind: name }, kind.outcomes[row.status]!),
        createdAt: time(row.createdAt),
        completedAt: row.completedAt && time(row.completedAt),
      }
    },
  }
}
