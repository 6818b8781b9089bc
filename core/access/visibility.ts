/**
 * Visibility of records to callers, decided here alone (docs/decisions.md, "Who sees what"). For transactions it is a
 * condition on their rows; for subscribers and customers it is decided where the entity is made
 * (`graph/directory-fields.ts`). The customers and subscribers that a request reaches are recorded (`audit/access-recorder.ts`).
 */
import type { Audience } from '../async/single-flight.ts'
import { EVERYBODY } from '../audit/access-recorder.ts'
import { Prisma } from '../data/db.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { showPhone } from '../values/phone.ts'
import { type Caller, type Principal, READERS } from './principal.ts'

/** Conditions on the rows of visible transactions; all that are present must hold. */
export interface VisibleRows {
  /** The client that posted them. */
  readonly clientId?: string
  /** The number that they concern, as digits with country code. */
  readonly mobileNumber?: string
}

type Bound = Pick<Principal, 'role' | 'phoneNumber'>

/**
 * Whether a role sees subscribers. Auditors read the records of who looked at them, and no subscriber
 * (`define-subgraph.ts` refuses them before).
 */
const seesSubscribers = ({ role }: Pick<Principal, 'role'>): boolean => role !== 'auditor'

/** The parts of a principal that decide on visibility. */
type Viewer = Pick<Principal, 'clientId' | 'role' | 'phoneNumber'>

/**
 * Makes the conditions. A partner sees its own transactions; portals and analysts see all, or those of the number that
 * their token is bound to. An auditor sees what it posted itself, which is nothing.
 */
export const visibleRows = ({ role, clientId, phoneNumber }: Viewer): VisibleRows =>
  READERS.includes(role) ? { mobileNumber: phoneNumber } : { clientId }

/** The client whose transactions the caller may see; undefined when it may see those of every client. */
export const visibleClient = ({ principal }: Pick<Caller, 'principal'>): string | undefined =>
  visibleRows(principal).clientId

/** The number whose transactions the caller may see; undefined when it may see those of every number. */
export const visibleNumber = ({ principal }: Pick<Caller, 'principal'>): string | undefined =>
  visibleRows(principal).mobileNumber

/** Whether a row fulfils the conditions. */
export const isVisibleRow = (
  rows: VisibleRows,
  row: { readonly clientId: string; readonly mobileNumber: string | null },
): boolean =>
  (rows.clientId ?? row.clientId) === row.clientId &&
  (rows.mobileNumber ?? row.mobileNumber) === row.mobileNumber

const COLUMN_OF: Readonly<Record<keyof VisibleRows, string>> = {
  clientId: 'client_id',
  mobileNumber: 'mobile_number',
}

/** The condition of a `WHERE` for the visible rows of a table, by the columns that all transaction tables have. */
export const visibleTo = (rows: VisibleRows, alias: string): Prisma.Sql => {
  const names = (['clientId', 'mobileNumber'] as const).filter(name => rows[name] !== undefined)
  const conditions = names.map(name => {
    const column = COLUMN_OF[name]
    return Prisma.sql`${Prisma.raw(`${alias}.${column}`)} = ${rows[name]}`
  })
  return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, ' AND ')
}

/** Whether a subscriber may be seen: a token that is bound to a number sees no other, whether there is one or not. */
export const maySeeSubscriber = (principal: Bound, number: string): boolean =>
  seesSubscribers(principal) && (principal.phoneNumber === undefined || principal.phoneNumber === number)

/**
 * Whether a customer may be seen: a token that is bound to a number sees the account of that number alone.
 * @param ownAccount the account that the bound number is a line of; undefined when it is a line of none.
 */
export const maySeeCustomer = (
  principal: Bound,
  accountNumber: string,
  ownAccount: string | undefined,
): boolean =>
  seesSubscribers(principal) && (principal.phoneNumber === undefined || accountNumber === ownAccount)

/** Refusal of an account that a bound token may not see; the same whether the account exists or not. */
export const foreignAccount = (path: string) =>
  new ServiceError(
    'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    `${path} is not the account of the number that the token is bound to`,
    { field: path },
  )

/**
 * Joins the parts of an audience as JSON, which has no line breaks of its own: they separate the parts of a shared key.
 */
const toAudience = (parts: readonly (string | undefined)[]): Audience => JSON.stringify(parts) as Audience

/** Makes an audience once for each principal, which serves all requests with its token. */
const remembered = (make: (principal: Viewer) => Audience): ((principal: Viewer) => Audience) => {
  const audiences = new WeakMap<Viewer, Audience>()
  return principal => {
    const known = audiences.get(principal)
    if (known) return known
    const audience = make(principal)
    audiences.set(principal, audience)
    return audience
  }
}

/**
 * Makes the audience of clients that see the same transactions (`visibleRows`), the same subscribers and customers (by
 * the bound number), and the same fields (by the role). Work for an entity or an event that is done for one of them
 * serves the others.
 */
export const audienceOf = remembered(principal => {
  const { role, phoneNumber } = principal
  const { clientId, mobileNumber } = visibleRows(principal)
  return toAudience([role, phoneNumber, clientId, mobileNumber])
})

/** Makes the audience of one client alone: a root field may be about the client itself, like `me`. */
export const clientAlone = remembered(({ role, phoneNumber, clientId }) =>
  toAudience(['alone', role, phoneNumber, clientId]),
)

type Looking = Pick<Caller, 'principal' | 'trail'>

/** Number or account that a list, a timeline or a stream of events is narrowed to. */
interface Narrowed {
  /** Digits with country code. */
  readonly mobileNumber?: string | null | undefined
  readonly accountNumber?: string | null | undefined
}

/**
 * Records what is narrowed to a number or an account, or everybody: a token that is bound to a number sees that alone.
 * @throws ServiceError SERVICE_UNAVAILABLE where it cannot be recorded.
 */
export const recordReach = ({ principal, trail }: Looking, narrowed: Narrowed = {}): void => {
  const number = narrowed.mobileNumber ?? principal.phoneNumber
  const { accountNumber } = narrowed
  if (number != null) trail.record(showPhone(number))
  if (accountNumber != null) trail.record(accountNumber)
  if (number == null && accountNumber == null) trail.record(EVERYBODY)
}

/**
 * Records a list of transactions in the same way. What a partner posted itself is known to it: only what it narrows to a
 * number or an account is recorded.
 */
export const recordList = (caller: Looking, narrowed: Narrowed = {}): void => {
  const isNarrowed = narrowed.mobileNumber != null || narrowed.accountNumber != null
  if (isNarrowed || READERS.includes(caller.principal.role)) recordReach(caller, narrowed)
}

/**
 * Records the subscribers and customers whose transactions are told of, one by one, to a portal or an analyst: a partner sees
 * those alone that it posted.
 */
export const recordShown = (caller: Looking, transactions: readonly Narrowed[]): void => {
  if (!READERS.includes(caller.principal.role)) return
  for (const one of transactions)
    if (one.mobileNumber != null || one.accountNumber != null) recordReach(caller, one)
}
