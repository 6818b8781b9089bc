/** Messages between the processes of `WORKERS`. */
import type { Family } from '../observability/exposition.ts'

/** From a worker to its primary. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly address: string }
  | { readonly kind: 'alive' }
  /** Asks for the metrics of all others. */
  | { readonly kind: 'collect'; readonly id: number }
  /** The metrics of this one, for the request of the primary with this number. */
  | { readonly kind: 'reported'; readonly id: number; readonly families: readonly Family[] }

/** From the primary to a worker. */
export type ToWorker =
  | { readonly kind: 'said'; readonly logLevel: string }
  | { readonly kind: 'report'; readonly id: number }
  | { readonly kind: 'collected'; readonly id: number; readonly families: readonly Family[] }

/** Interval in milliseconds at which a worker shows that its event loop turns. */
export const ALIVE_EVERY_MS = 2_000
/** Limit in milliseconds of the time that metrics of the others are waited for. */
export const COLLECT_MS = 1_500
