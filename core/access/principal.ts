/**
 * Principals and callers: the verified client of a request, its role and limits, and the phone number that its token is bound to.
 * Its quotas limit its use of one process, so that no client can take a service away from the others.
 */
import type { AccessTrail } from '../audit/access-recorder.ts'
import { invalid, ServiceError } from '../errors/catalogue.ts'
import { together } from '../errors/faults.ts'
import type { Decimal } from '../values/money.ts'

/** A client has exactly one role; docs/decisions.md, "Identity and access", says what each may do. */
export type Role = 'partner' | 'portal' | 'analyst' | 'auditor'

export const ROLES: readonly Role[] = ['partner', 'portal', 'analyst', 'auditor']

/** Roles that see the transactions of every client. */
export const READERS: readonly Role[] = ['portal', 'analyst']

/** Limits on transactions that a client posts; an absent one does not bind. */
export interface Limits {
  readonly currencies: readonly string[]
  readonly maxAmount?: Decimal
  readonly monthlyAmount?: Decimal
  readonly maxPoints?: Decimal
  readonly monthlyPoints?: Decimal
  /** "Dummy card values agreed": card numbers need not pass the Luhn check. */
  readonly dummyCards: boolean
}

/** Identity of a client by its verified token, with its limits. */
export interface Principal {
  readonly clientId: string
  readonly name: string
  readonly role: Role
  /** The person that a token of an outside issuer belongs to: its `sub`, where that is not the client. */
  readonly user?: string
  /** The one phone number the token is bound to (claim `phone_number`), as digits with country code. */
  readonly phoneNumber?: string
  readonly limits: Limits
  /** Limits on its use of this process. */
  readonly quotas: Quotas
  /** End of the token. */
  readonly expiresAt: Date
}

/** One request as a service sees it. */
export interface Caller {
  readonly principal: Principal
  /** `x-correlator`: the request's own, or a new one. */
  readonly correlator: string
  /** The person behind the client, as far as it is known. */
  readonly user?: string | undefined
  /** Records the customers and subscribers that the request reaches. */
  readonly trail: AccessTrail
  /** Aborted when the request's time is up; a change that is not committed by then must not be. */
  readonly signal: AbortSignal
}

/** @throws ServiceError PERMISSION_DENIED unless the caller's role is among `roles`, naming the operation. */
export function requireRole({ role }: Principal, roles: readonly Role[], operation: string): void {
  if (roles.includes(role)) return
  throw new ServiceError('PERMISSION_DENIED', `A client of role ${role} may not call ${operation}`)
}

/**
 * Refuses a token that is bound to a number: it speaks for that number, not for its client or for other clients.
 * @throws ServiceError PERMISSION_DENIED, naming the operation.
 */
export function requireUnbound({ phoneNumber }: Principal, operation: string): void {
  if (phoneNumber === undefined) return
  throw new ServiceError(
    'PERMISSION_DENIED',
    `A token that is bound to a phone number may not call ${operation}`,
  )
}

/**
 * Compares the number that a request names with the one that its token is bound to.
 * @param path of the number in the request.
 * @param named digits with country code; undefined when the request names none.
 * @returns the number that applies: the named one, or else the bound one.
 * @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT when the two differ.
 */
export function phoneInContext(
  { phoneNumber }: Principal,
  path: string,
  named: string | undefined,
): string | undefined {
  if (phoneNumber === undefined || named === undefined || named === phoneNumber) return named ?? phoneNumber
  throw new ServiceError(
    'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    `${path} is not the phone number that the token is bound to`,
    { field: path },
  )
}

/** Header by which a portal names the person that it acts for, and the member of `connection_init` over WebSocket. */
export const ACTING_USER = 'x-acting-user'

/** Printable ASCII without spaces at its ends: nothing that could break a line, or look like another name. */
const NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/

/**
 * Finds the person behind a client. A token of an outside issuer that is a person's own says so itself; a portal with a
 * token of its own names the person in a header. The name stands in records of who looked at whom and in the log of acts.
 * Of clients other than portals, whose word would prove nothing, the header is ignored.
 * @param named value of the header.
 * @throws ServiceError INVALID_ARGUMENT for a value that is no name.
 */
export const actingUserOf = ({ role, user }: Principal, named: unknown): string | undefined => {
  if (user !== undefined) return user
  if (role !== 'portal' || named === undefined || named === '') return undefined
  if (typeof named === 'string' && NAME.test(named)) return named
  throw invalid(`${ACTING_USER} must be 1 to 256 printable ASCII characters without spaces at its ends`)
}

/** Limits on the use of a process; each is a whole number, at least 1. */
export interface Quotas {
  /** Requests that are served at the same time. */
  readonly requestsInFlight: number
  /** Requests a second, on average; twice as many may come at once. */
  readonly requestsPerSecond: number
  /** Cost of its operations in the graph in a minute, in fields (`graph/operation-limits.ts`). */
  readonly costPerMinute: number
  /** Connections that stay open: WebSocket and event streams together. */
  readonly openStreams: number
  /** Webhooks of its transactions that are being sent at the same time. */
  readonly webhooksInFlight: number
  /** Operations in a minute whose execution is explained to it; portals and analysts alone. */
  readonly explainedPerMinute: number
}

/** Default quotas: more than an honest client reaches; docs/decisions.md, "Quotas of a client", has the reasons. */
export const DEFAULT_QUOTAS: Quotas = {
  requestsInFlight: 500,
  requestsPerSecond: 10_000,
  costPerMinute: 120_000_000,
  openStreams: 10_000,
  webhooksInFlight: 256,
  explainedPerMinute: 0,
}

export const QUOTA_NAMES = Object.keys(DEFAULT_QUOTAS) as (keyof Quotas)[]

/** The quotas of a client whose record sets those in `own`. */
export const quotasOf = (own: unknown): Quotas => ({ ...DEFAULT_QUOTAS, ...(own as Partial<Quotas>) })

/** Quotas as text, as the administrator enters them. */
export type QuotaTexts = Partial<Record<keyof Quotas, string>>

const MOST = 1_000_000_000

const isQuota = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MOST

/**
 * Reads the quotas that are present, for the record.
 * @throws ServiceError INVALID_ARGUMENT naming each that is not a whole number from 1 to a thousand million.
 */
export function checkQuotas(texts: QuotaTexts): Partial<Quotas> {
  const names = QUOTA_NAMES.filter(name => texts[name] !== undefined)
  together(faults => {
    for (const name of names)
      faults.expect(isQuota(texts[name]!), name, 'BAD_FORMAT', `a whole number from 1 to ${MOST}`)
  })
  return Object.fromEntries(names.map(name => [name, Number(texts[name])]))
}
