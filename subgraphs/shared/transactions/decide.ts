/** Whether a draft may be posted, given what is posted already: a pure function, run while the book is held. */

import type { Limits } from '../access/principal.ts'
import { invalid, ServiceError } from '../errors.ts'
import { Decimal } from '../values/decimal.ts'
import type { TransactionKind } from './kind.ts'

/** A transaction that has passed every rule that can be checked without looking at other transactions. */
export interface Draft {
  readonly id: string
  readonly clientId: string
  readonly limits: Limits
  readonly clientCorrelatorId?: string
  readonly referenceCode?: string
  readonly accountNumber?: string
  readonly mobileNumber?: string
  readonly currency?: string
  readonly amount?: Decimal
  readonly points?: Decimal
  /** The request as the client sent it, without its secrets: what REST echoes. */
  readonly body: unknown
  readonly webhookUrl?: string
  /** Encrypted. */
  readonly webhookToken?: string
}

/** As much of a draft as its client's limits are held against. */
export type Measured = Pick<
  Draft,
  'clientId' | 'limits' | 'accountNumber' | 'mobileNumber' | 'currency' | 'amount' | 'points'
>

/** What is already posted, as far as a batch of drafts can collide with it. Keys are made by the functions below. */
export interface Facts {
  readonly correlators: Map<string, string>
  readonly references: Set<string>
  readonly spent: Map<string, Decimal>
}

type Spent = Pick<Facts, 'spent'>

const key = (...parts: (string | undefined)[]) => JSON.stringify(parts)

export const correlatorKey = (draft: Draft) => key(draft.clientId, draft.clientCorrelatorId)
export const referenceKey = (draft: Draft) => key(draft.clientId, draft.referenceCode, draft.accountNumber)
export const spentKey = (clientId: string, holder: string, currency: string) =>
  key(clientId, holder, currency)

/** What counts against the client's limits: the amount, or the points. */
export const measureOf = (kind: TransactionKind, draft: Measured): Decimal | undefined =>
  kind.limit && draft[kind.limit.measure]

/** The monthly limit that applies to the draft, if its client has one. */
export const monthlyLimitOf = (kind: TransactionKind, { limits }: Measured): Decimal | undefined =>
  kind.limit && (kind.limit.measure === 'amount' ? limits.monthlyAmount : limits.monthlyPoints)

const maximumOf = (kind: TransactionKind, { limits }: Measured): Decimal | undefined =>
  kind.limit && (kind.limit.measure === 'amount' ? limits.maxAmount : limits.maxPoints)

const draftSpentKey = (kind: TransactionKind, draft: Measured) =>
  spentKey(draft.clientId, draft[kind.limit!.holder] ?? '', draft.currency ?? '')

const repeated = (kind: TransactionKind, draft: Draft, facts: Facts): ServiceError | undefined => {
  const first = draft.clientCorrelatorId && facts.correlators.get(correlatorKey(draft))
  if (!first) return undefined
  const headers = kind.path ? { location: `${kind.path}/${first}` } : undefined
  return invalid(
    `clientCorrelatorId ${draft.clientCorrelatorId} already exists on the server: it is ${kind.idField} ${first}`,
    { headers },
  )
}

const aboveMaximum = (kind: TransactionKind, draft: Measured): ServiceError | undefined => {
  const maximum = maximumOf(kind, draft)
  if (!maximum || !measureOf(kind, draft)?.gt(maximum)) return undefined
  return new ServiceError(
    'CARRIER_BILLING.UNAUTHORIZED_AMOUNT',
    `${kind.limit!.measure} must not be greater than ${maximum}, the most this client may post at once`,
  )
}

const aboveMonthly = (kind: TransactionKind, draft: Measured, facts: Spent): ServiceError | undefined => {
  const limit = monthlyLimitOf(kind, draft)
  if (!limit) return undefined
  const spent = facts.spent.get(draftSpentKey(kind, draft)) ?? new Decimal(0)
  if (spent.plus(measureOf(kind, draft)!).lte(limit)) return undefined
  return new ServiceError(
    'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED',
    `${spent} of this month's ${limit} ${draft.currency ?? 'points'} for ${draft[kind.limit!.holder]} are used`,
  )
}

/** Every limit that the draft would exceed, without its being noted: for those who only ask. */
export const beyondLimits = (kind: TransactionKind, draft: Measured, facts: Spent): ServiceError[] =>
  [aboveMaximum(kind, draft), aboveMonthly(kind, draft, facts)].filter(refusal => refusal !== undefined)

/** Only a draft without correlator is held against earlier references: with one, a repeat is already recognised. */
const duplicate = (draft: Draft, facts: Facts): ServiceError | undefined => {
  if (draft.clientCorrelatorId || !draft.accountNumber || !facts.references.has(referenceKey(draft)))
    return undefined
  return new ServiceError(
    'ALREADY_EXISTS',
    `referenceCode ${draft.referenceCode} was already posted for account ${draft.accountNumber}; ` +
      'send a clientCorrelatorId to tell two payments apart',
  )
}

/** Notes an accepted draft, so that the next one in the same batch meets it. */
const note = (kind: TransactionKind, draft: Draft, facts: Facts): void => {
  if (draft.clientCorrelatorId) facts.correlators.set(correlatorKey(draft), draft.id)
  facts.references.add(referenceKey(draft))
  if (!kind.limit) return
  const spent = facts.spent.get(draftSpentKey(kind, draft)) ?? new Decimal(0)
  facts.spent.set(draftSpentKey(kind, draft), spent.plus(measureOf(kind, draft)!))
}

/**
 * Decides on one draft, in the order of checks that the contract's clients rely on: repeated correlator (400),
 * limits (403), duplicate (409).
 * @returns the refusal, or undefined when the draft is accepted (and noted in `facts`).
 */
export function decide(kind: TransactionKind, draft: Draft, facts: Facts): ServiceError | undefined {
  const refusal =
    repeated(kind, draft, facts) ??
    aboveMaximum(kind, draft) ??
    aboveMonthly(kind, draft, facts) ??
    duplicate(draft, facts)
  if (!refusal) note(kind, draft, facts)
  return refusal
}
