/** Limits of clients, and what is left of them: `Query.clientLimits`. */
import { limitsOf } from '#core/access/claims.ts'
import {
  type Caller,
  type Limits,
  type Quotas,
  quotasOf,
  requireRole,
  requireUnbound,
} from '#core/access/principal.ts'
import { recordReach } from '#core/access/visibility.ts'
import type { App } from '#core/context/app.ts'
import { invalidField, notFound, ServiceError } from '#core/errors/catalogue.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { spentKey } from '#core/transactions/post/check.ts'
import { readSpent } from '#core/transactions/post/refusals.ts'
import { Decimal } from '#core/values/money.ts'
import { checkReference } from '#core/values/text.ts'
import { startOfMonth } from '#core/values/time.ts'
import type { Kinds } from './kinds.ts'

/** A client with its limits. */
export interface ClientTerms {
  readonly clientId: string
  readonly limits: Limits
  readonly quotas: Quotas
}

/** Customer by whom monthly limits are counted. */
export interface Counted {
  readonly accountNumber?: string | undefined
  /** Digits with country code. */
  readonly mobileNumber?: string | undefined
}

/** Use of one kind and currency in this month. */
export interface MonthlyUseRow {
  readonly kind: string
  readonly currency: string | null
  readonly used: Decimal
  readonly limit: Decimal
  readonly left: Decimal
}

/** The most clients of one query. */
const MOST = 200

const ownTerms = ({ principal: { clientId, limits, quotas } }: Caller): ClientTerms => ({
  clientId,
  limits,
  quotas,
})

const termsOf = async (app: App, caller: Caller, id: string): Promise<ClientTerms> => {
  if (id === caller.principal.clientId) return ownTerms(caller)
  const record = await app.access.clients.find(id)
  if (!record) throw notFound(`Client ${id.slice(0, 64)}`)
  return { clientId: id, limits: limitsOf(record), quotas: quotasOf(record.quotas) }
}

/**
 * Reads the limits of these clients, or of the caller.
 * @throws ServiceError PERMISSION_DENIED for another client of a partner; NOT_FOUND; INVALID_ARGUMENT.
 */
export async function readLimits(
  app: App,
  caller: Caller,
  clients: readonly string[] | null | undefined,
): Promise<ClientTerms[]> {
  const { principal } = caller
  requireRole(principal, ['partner', 'portal', 'analyst'], 'clientLimits')
  requireUnbound(principal, 'clientLimits')
  if (clients == null) return [ownTerms(caller)]
  if (clients.length > MOST) throw invalidField('clients', 'TOO_MANY', `must have at most ${MOST} items`)
  for (const id of clients) checkReference('clients', id)
  if (principal.role === 'partner' && clients.some(id => id !== principal.clientId))
    throw new ServiceError('PERMISSION_DENIED', 'A client of role partner sees no limits of other clients')
  return Promise.all([...new Set(clients)].map(id => termsOf(app, caller, id)))
}

/** Quotas on what a client sends and opens; how often it may have an operation explained holds nobody up. */
const NAMES = {
  requestsInFlight: 'REQUESTS_IN_FLIGHT',
  requestsPerSecond: 'REQUESTS_PER_SECOND',
  costPerMinute: 'COST_PER_MINUTE',
  openStreams: 'OPEN_STREAMS',
  webhooksInFlight: 'WEBHOOKS_IN_FLIGHT',
} as const satisfies Partial<Record<keyof Quotas, string>>

const SHOWN = Object.keys(NAMES) as (keyof typeof NAMES)[]

/** The quotas of a client with what is left of them in this process. */
export const quotasLeft = (app: Pick<App, 'usage'>, terms: ClientTerms) => {
  const left: Partial<Quotas> = app.usage.left(terms)
  return SHOWN.map(name => ({
    name: NAMES[name],
    limit: terms.quotas[name],
    left: left[name] ?? null,
  }))
}

const useOf = async (
  app: App,
  { clientId, limits }: ClientTerms,
  kind: TransactionKind,
  counted: Counted,
): Promise<MonthlyUseRow[]> => {
  const { measure, owner } = kind.limit ?? {}
  const limit = measure === 'amount' ? limits.monthlyAmount : limits.monthlyPoints
  if (!measure || !owner || !counted[owner] || !limit) return []
  const one = { clientId, limits, ...counted, [measure]: new Decimal(1) }
  const month = startOfMonth(new Date(), app.config.timezone)
  const spent = await readSpent(app.db, kind, [one], month)
  const currencies = measure === 'amount' ? limits.currencies : [null]
  return currencies.map(currency => {
    const used = spent.get(spentKey(clientId, counted[owner]!, currency ?? '')) ?? new Decimal(0)
    return { kind: kind.name, currency, used, limit, left: Decimal.max(limit.minus(used), 0) }
  })
}

/** Reads what a client has posted this month for one customer, against its limits. */
export async function readMonthlyUse(
  app: App,
  kinds: Kinds,
  caller: Caller,
  terms: ClientTerms,
  counted: Counted,
): Promise<MonthlyUseRow[]> {
  if (counted.accountNumber) checkReference('customerAccountNumber', counted.accountNumber)
  if (!counted.accountNumber && !counted.mobileNumber) return []
  recordReach(caller, counted)
  const found = await Promise.all([...kinds].map(kind => useOf(app, terms, kind, counted)))
  return found.flat()
}
