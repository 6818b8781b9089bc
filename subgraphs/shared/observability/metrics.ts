/** What a process counts of its own work beside requests: webhooks, settling, subscribers. Shown at `/metrics`. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  /** Attempts by what came of them: `delivered`, `failed` (to be tried again) or `dead` (given up). */
  readonly webhookDeliveries: Counter<'outcome'>
  /** In seconds, until the response or the failure. */
  readonly webhookAttempts: Histogram
  /** Transactions by kind and final status. */
  readonly settled: Counter<'kind' | 'status'>
  /** Free texts that hold what looks like a card number, by service and field. */
  readonly cardLikeTexts: Counter<'service' | 'field'>
}

/** What subscribers are counted from. */
interface Subscribed {
  readonly subscribers: number
}

/** An attempt may take up to 10 s. */
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const gaugeSubscribers = (feed: Subscribed, registry: Registry) =>
  new Gauge({
    name: 'event_feed_subscribers',
    help: 'Subscriptions that follow the event log',
    registers: [registry],
    collect() {
      this.set(feed.subscribers)
    },
  })

/** The figures of one process, all in a registry of their own. */
export function createMetrics(feed: Subscribed): Metrics {
  const registry = new Registry()
  const registers = [registry]
  gaugeSubscribers(feed, registry)
  return {
    registry,
    webhookDeliveries: new Counter({
      name: 'webhook_deliveries_total',
      help: 'Attempts to deliver a webhook, by outcome: delivered, failed (tried again) or dead (given up)',
      labelNames: ['outcome'],
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Time that an attempt to deliver a webhook took',
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
    cardLikeTexts: new Counter({
      name: 'card_like_texts_total',
      help: 'Free texts that hold what looks like a card number',
      labelNames: ['service', 'field'],
      registers,
    }),
    settled: new Counter({
      name: 'transactions_settled_total',
      help: 'Transactions that reached a final status',
      labelNames: ['kind', 'status'],
      registers,
    }),
  }
}
