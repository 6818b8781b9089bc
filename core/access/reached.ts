/** Subjects of a request, for the records of who looked at whom (`audit/access-recorder.ts`). */
import { EVERYBODY } from '../audit/access-recorder.ts'
import { showPhone } from '../values/phone.ts'
import { type Caller, READERS } from './principal.ts'

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
