/** Metrics of the work of a process beside requests: webhooks, settling, subscribers. Shown at `/metrics`. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
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
interface Backlog {
  readonly state: string
  readonly orders: number
  readonly ageSeconds: number
}

/** Orders that an external charging system has not finalized, read at each scrape. */
interface BacklogGauges {
  /** Shows the orders of a kind from now on, and whether the system that executes them is well. */
  watch(kind: string, read: () => Promise<readonly Backlog[]>, isWell: () => boolean): void
}

/** Source of the number of subscribers. */
interface SubscriberSource {
  readonly subscribers: number
}

/** Switch of outbound traffic, with the reason while it is off. */
interface OutboundSwitch {
  off(): string | undefined
}

/** State of a part of the background work. */
interface WorkerFigures {
  readonly name: string
  readonly ageMs: number
  readonly isLate: boolean
}

/** Source of the states of a process's background work. */
interface WorkerSource {
  states(): readonly WorkerFigures[]
}

/** A worker that was seen once stays shown, with 0 while it is idle. */
const gaugeWorkers = (watchdog: WorkerSource, registry: Registry) => {
  const known = new Set<string>()
  const gauge = (name: string, help: string, figureOf: (own: readonly WorkerFigures[]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [registry],
      collect() {
        const states = watchdog.states()
        for (const state of states) known.add(state.name)
        for (const worker of known) this.set({ worker }, figureOf(states.filter(one => one.name === worker)))
      },
    })
  gauge(
    'worker_standstill_seconds',
    'How long ago background work that is under way last made progress',
    own => Math.max(0, ...own.map(({ ageMs }) => ageMs)) / 1_000,
  )
  gauge('worker_late', 'Whether background work has made no progress for longer than it may: 1, or 0', own =>
    own.some(({ isLate }) => isLate) ? 1 : 0,
  )
}

/** Upper bounds in seconds; an attempt may take up to 10 s. */
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const gaugeSubscribers = (feed: SubscriberSource, registry: Registry) =>
  new Gauge({
    name: 'event_feed_subscribers',
    help: 'Subscriptions that follow the event log',
    registers: [registry],
    collect() {
      this.set(feed.subscribers)
    },
  })

const gaugeOutbound = (outbound: OutboundSwitch, registry: Registry) =>
  new Gauge({
    name: 'outbound_enabled',
    help: 'Whether webhooks, charging calls and SMS leave this server: 1, or 0 while they wait',
    registers: [registry],
    collect() {
      this.set(outbound.off() === undefined ? 1 : 0)
    },
  })

const STATES = ['waiting', 'sent', 'pending', 'reserved', 'known']

/** Orders that cannot be read count as none, not as many as before. */
const gaugeBacklog = (registry: Registry): BacklogGauges => {
  const kinds = new Map<string, () => Promise<readonly Backlog[]>>()
  const labelNames = ['kind', 'state'] as const
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
  const age = new Gauge({
    name: 'charging_oldest_order_seconds',
    help: 'Age of the oldest order that an outside charging system has not concluded, by state',
    labelNames,
    registers: [registry],
  })
  const orders = new Gauge({
    name: 'charging_orders',
    help: 'Orders that an outside charging system has not concluded, by state',
    labelNames,
    registers: [registry],
    async collect() {
      for (const [kind, read] of kinds) {
        const found = new Map((await read().catch(() => [])).map(one => [one.state, one]))
        for (const state of STATES) {
          orders.set({ kind, state }, found.get(state)?.orders ?? 0)
          age.set({ kind, state }, found.get(state)?.ageSeconds ?? 0)
        }
      }
    },
  })
  return {
    watch(kind, read, isWell) {
      kinds.set(kind, read)
      wellness.set(kind, isWell)
    },
  }
}

/** Makes the metrics of one process, all in a registry of their own. */
export function createMetrics(
  feed: SubscriberSource,
  outbound: OutboundSwitch,
  watchdog: WorkerSource,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  gaugeSubscribers(feed, registry)
  gaugeOutbound(outbound, registry)
  gaugeWorkers(watchdog, registry)
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
