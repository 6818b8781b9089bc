/** One request as a service sees it: who asks, under which correlator, and until when. */
import type { Principal } from './access/principal.ts'

export interface Caller {
  readonly principal: Principal
  /** `x-correlator`: the request's own, or a new one. */
  readonly correlator: string
  /** Aborted when the request's time is up; whatever is not committed then must not be. */
  readonly signal: AbortSignal
}

/** The client whose transactions the caller may see; undefined when it may see everyone's. */
export const visibleClient = ({ principal }: Pick<Caller, 'principal'>): string | undefined =>
  principal.role === 'partner' ? principal.clientId : undefined
