/**
 * Metrics of what waits, read from the database at a scrape: how long the oldest has waited at each station on the way of
 * a transaction. Each process shows the part that it works on.
 */
import type { Registry } from 'prom-client'
import { createScrapedGauges, type ScrapedGauges } from './scraped.ts'

export interface LagMetrics {
  /** Transactions of a kind that the settler has not taken, and those in quarantine. */
  readonly settling: ScrapedGauges<'lag' | 'quarantined'>
  /** Deliveries of webhooks that wait or were given up. */
  readonly webhooks: ScrapedGauges<'deliveries' | 'retrying' | 'oldest'>
  /** Rows and events that the timeline does not show yet. */
  readonly timeline: ScrapedGauges<'lag'>
  /** Events that subscribers of this process were not given yet. */
  readonly events: ScrapedGauges<'lag'>
}

const createSettling = (registry: Registry) =>
  createScrapedGauges(registry, {
    lag: {
      name: 'settling_lag_seconds',
      help: 'Age of the oldest transaction that is not taken for settling; 0 while none waits',
      labelNames: ['kind'],
      join: 'max',
    },
    quarantined: {
      name: 'transactions_quarantined',
      help: 'Transactions that could not be settled, and are tried again alone; counted to ten thousand',
      labelNames: ['kind'],
      join: 'max',
    },
  })

const createWebhooks = (registry: Registry) =>
  createScrapedGauges(registry, {
    deliveries: {
      name: 'webhook_deliveries',
      help: 'Webhooks by state: pending, counted to a hundred thousand and to twenty thousand of one client, and dead (given up), to ten thousand',
      labelNames: ['state'],
    },
    retrying: {
      name: 'webhook_deliveries_retrying',
      help: 'Pending webhooks whose last attempt failed',
    },
    oldest: {
      name: 'webhook_oldest_seconds',
      help: 'Age of the oldest pending webhook; 0 while none waits',
      join: 'max',
    },
  })

/** Makes the metrics of lags in a registry. */
export const createLagMetrics = (registry: Registry): LagMetrics => ({
  settling: createSettling(registry),
  webhooks: createWebhooks(registry),
  timeline: createScrapedGauges(registry, {
    lag: {
      name: 'timeline_lag_seconds',
      help: 'Age of the oldest transaction or event that the timeline does not show; 0 while it shows all',
      join: 'max',
    },
  }),
  events: createScrapedGauges(registry, {
    lag: {
      name: 'event_lag_seconds',
      help: 'Age of the oldest event that subscribers of this process were not given; 0 while they have all',
      join: 'max',
    },
  }),
})
