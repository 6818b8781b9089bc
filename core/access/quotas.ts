/** Quotas: limits on one client's use of one process, so that no client can take a service away from the others. */
import { together } from '../errors/faults.ts'

/** Limits on the use of a process; each is a whole number, at least 1. */
export interface Quotas {
  /** Requests that are served at the same time. */
  readonly requestsInFlight: number
  /** Requests a second, on average; twice as many may come at once. */
  readonly requestsPerSecond: number
  /** Cost of its operations in the graph in a minute, in fields (`graph/cost.ts`). */
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
