/** What one client may use of one process, so that no client can take a service away from the others. */

/** Bounds on the use of a process; each is a whole number, at least 1. */
export interface Quotas {
  /** Requests that are served at the same time. */
  readonly requestsInFlight: number
  /** Requests a second, on average; twice as many may come at once. */
  readonly requestsPerSecond: number
  /** What its operations in the graph may come to in a minute, in fields (`graph/cost.ts`). */
  readonly costPerMinute: number
  /** Connections that stay open: WebSocket and event streams together. */
  readonly openStreams: number
  /** Webhooks of its transactions that are being sent at the same time. */
  readonly webhooksInFlight: number
}

/** Above what an honest client comes to, for reasons that stand in docs/decisions.md, "Quotas of a client". */
export const DEFAULT_QUOTAS: Quotas = {
  requestsInFlight: 500,
  requestsPerSecond: 10_000,
  costPerMinute: 120_000_000,
  openStreams: 10_000,
  webhooksInFlight: 256,
}

export const QUOTA_NAMES = Object.keys(DEFAULT_QUOTAS) as (keyof Quotas)[]

/** The quotas of a client whose record sets those in `own`. */
export const quotasOf = (own: unknown): Quotas => ({ ...DEFAULT_QUOTAS, ...(own as Partial<Quotas>) })
