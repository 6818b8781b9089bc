/** Metrics of the work that follows a request: webhooks, settling, charging calls. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { createScrapedGauges } from './scraped.ts'

export interface WorkMetrics {
  /** Attempts by outcome: `delivered`, `failed` (to be repeated) or `dead` (given up). */
  readonly webhookDeliveries: Counter<'outcome'>
  /** In seconds, until the response or the failure. */
  readonly webhookAttempts: Histogram
  /** Transactions by kind and final status. */
  readonly settled: Counter<'kind' | 'status'>
  /** Free texts that seem to contain a card number, by service and field. */
  readonly cardLikeTexts: Counter<'service' | 'field'>
  /** Calls of external charging systems by result: an outcome, `pending`, `unknown` or `not_sent`. */
  readonly chargingCalls: Counter<'system' | 'call' | 'outcome'>
  /** In seconds, until the response or the failure. */
  readonly chargingCallSeconds: Histogram<'system' | 'call'>
  /** Orders on their way to external charging systems. */
  readonly chargingBacklog: BacklogGauges
}

/** Orders of one state. */
interface OrdersOfState {
  readonly state: string
  readonly orders: number
  readonly ageSeconds: number
}

/** Orders that an external charging system has not finalized, read at each scrape. */
interface BacklogGauges {
  /** Shows the orders of a kind from now on, and whether the system that executes them is well. */
  watch(kind: string, read: () => Promise<readonly OrdersOfState[]>, isWell: () => boolean): void
}

/** Upper bounds in seconds; an attempt may take up to 10 s. */
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const STATES = ['waiting', 'sent', 'pending', 'reserved', 'known']

const gaugeAvailability = (registry: Registry): Map<string, () => boolean> => {
  const wellness = new Map<string, () => boolean>()
  new Gauge({
    name: 'charging_available',
    help: 'Whether the outside charging system of a kind answers: 1, or 0 while it is failing',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, isWell] of wellness) this.set({ kind }, isWell() ? 1 : 0)
    },
  })
  return wellness
}

const gaugeBacklog = (registry: Registry): BacklogGauges => {
  const wellness = gaugeAvailability(registry)
  const gauges = createScrapedGauges(registry, {
    age: {
      name: 'charging_oldest_order_seconds',
      help: 'Age of the oldest order that an outside charging system has not concluded, by state',
      labelNames: ['kind', 'state'],
    },
    orders: {
      name: 'charging_orders',
      help: 'Orders that an outside charging system has not concluded, by state',
      labelNames: ['kind', 'state'],
    },
    oldest: {
      name: 'orders_oldest_seconds',
      help: 'Age of the oldest order that an outside charging system has not concluded; 0 without one',
      labelNames: ['kind'],
    },
  })
  return {
    watch(kind, read, isWell) {
      wellness.set(kind, isWell)
      gauges.watch(kind, async () => {
        const found = new Map((await read()).map(one => [one.state, one]))
        const ofState = (state: string) => {
          const { orders = 0, ageSeconds = 0 } = found.get(state) ?? {}
          const labels = { kind, state }
          return [
            { gauge: 'orders' as const, labels, value: orders },
            { gauge: 'age' as const, labels, value: ageSeconds },
          ]
        }
        const oldest = Math.max(0, ...[...found.values()].map(({ ageSeconds }) => ageSeconds))
        return [...STATES.flatMap(ofState), { gauge: 'oldest', labels: { kind }, value: oldest }]
      })
    },
  }
}

/** Makes the metrics of work in a registry. */
export const createWorkMetrics = (registry: Registry): WorkMetrics => {
  const registers = [registry]
  const webhookDeliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts to deliver a webhook, by outcome: delivered, failed (tried again) or dead (given up)',
    labelNames: ['outcome'],
    registers,
  })
  // An increase from nothing is none to Prometheus.
  for (const outcome of ['delivered', 'failed', 'dead']) webhookDeliveries.inc({ outcome }, 0)
  return {
    webhookDeliveries,
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
    chargingCalls: new Counter({
      name: 'charging_calls_total',
      help: 'Calls of an outside charging system, by what they told: an outcome, pending, unknown or not_sent',
      labelNames: ['system', 'call', 'outcome'],
      registers,
    }),
    chargingCallSeconds: new Histogram({
      name: 'charging_call_duration_seconds',
      help: 'Time that a call of an outside charging system took',
      labelNames: ['system', 'call'],
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
    chargingBacklog: gaugeBacklog(registry),
    settled: new Counter({
      name: 'transactions_settled_total',
      help: 'Transactions that reached a final status',
      labelNames: ['kind', 'status'],
      registers,
    }),
  }
}
