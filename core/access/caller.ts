/** One request as a service sees it: its caller, its correlator, its deadline. */
import type { Principal } from './principal.ts'
import { visibleRows } from './visibility.ts'

export interface Caller {
  readonly principal: Principal
  /** `x-correlator`: the request's own, or a new one. */
  readonly correlator: string
  /** Aborted when the request's time is up; whatever is not committed then must not be. */
  readonly signal: AbortSignal
}

/** The client whose transactions the caller may see; undefined when it may see those of every client. */
export const visibleClient = ({ principal }: Pick<Caller, 'principal'>): string | undefined =>
  visibleRows(principal).clientId

/** The number whose transactions the caller may see; undefined when it may see those of every number. */
export const visibleNumber = ({ principal }: Pick<Caller, 'principal'>): string | undefined =>
  visibleRows(principal).mobileNumber
