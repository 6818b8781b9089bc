/** Metrics of clients in sum: refused tokens and secrets, limits that were reached, subscribers. */
import { Counter, Gauge, type Registry } from 'prom-client'

const THROTTLE_LIMITS = [
  'client_request_rate',
  'client_requests',
  'client_streams',
  'client_cost',
  'client_test_events',
  'address_request_rate',
  'process_requests',
  'process_turns',
  'process_streams',
  'process_body_bytes',
] as const

/** A limit by which a request or a stream was refused: of its client, its address or the process. */
export type ThrottleLimit = (typeof THROTTLE_LIMITS)[number]

const TOKEN_FAULTS = ['missing', 'malformed', 'expired', 'signature', 'audience', 'claims', 'client']

/** Counts a refusal by a limit. */
export type CountThrottled = (limit: ThrottleLimit) => void

/** Connections by which subscribers follow. */
export type StreamTransport = 'websocket' | 'sse'

export interface ClientMetrics {
  /** Access tokens by why they were refused. */
  readonly tokensRefused: Counter<'reason'>
  /** Requests for a token by why they were refused: `wrong`, or `throttled` after many wrong ones. */
  readonly secretsRefused: Counter<'reason'>
  readonly throttled: CountThrottled
  /** Subscriptions that are open. */
  readonly subscribers: Gauge<'transport'>
  /** Subscribers and connections that were ended since they read too slowly. */
  readonly slowReaders: Counter
}

/** Source of the number of subscribers. */
export interface SubscriberSource {
  readonly subscribers: number
}

const gaugeFollowers = (feed: SubscriberSource, registry: Registry) =>
  new Gauge({
    name: 'event_feed_subscribers',
    help: 'Subscriptions that follow the event log',
    registers: [registry],
    collect() {
      this.set(feed.subscribers)
    },
  })

const createSubscribers = (registry: Registry) => {
  const subscribers = new Gauge({
    name: 'subscribers',
    help: 'Subscriptions that are open, by transport',
    labelNames: ['transport'],
    registers: [registry],
  })
  for (const transport of ['websocket', 'sse'] satisfies StreamTransport[]) subscribers.set({ transport }, 0)
  return subscribers
}

/** Begins a counter at 0: an increase from nothing is none to Prometheus. */
const beginAt0 = <Label extends string>(counter: Counter<Label>, label: Label, values: readonly string[]) => {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0)
  return counter
}

/** Makes the metrics of clients in a registry. */
export const createClientMetrics = (registry: Registry, feed: SubscriberSource): ClientMetrics => {
  const registers = [registry]
  gaugeFollowers(feed, registry)
  const throttled = new Counter({
    name: 'throttled_total',
    help: 'Requests and streams that were refused by a limit',
    labelNames: ['limit'],
    registers,
  })
  const tokensRefused = new Counter({
    name: 'tokens_refused_total',
    help: 'Access tokens that were refused, by reason: missing, malformed, expired, signature, audience, claims or client',
    labelNames: ['reason'],
    registers,
  })
  const secretsRefused = new Counter({
    name: 'secrets_refused_total',
    help: 'Requests for a token that were refused: wrong (unknown client or wrong secret) or throttled after many of them',
    labelNames: ['reason'],
    registers,
  })
  beginAt0(throttled, 'limit', THROTTLE_LIMITS)
  return {
    tokensRefused: beginAt0(tokensRefused, 'reason', TOKEN_FAULTS),
    secretsRefused: beginAt0(secretsRefused, 'reason', ['wrong', 'throttled']),
    throttled: limit => throttled.inc({ limit }),
    subscribers: createSubscribers(registry),
    slowReaders: new Counter({
      name: 'slow_readers_ended_total',
      help: 'Subscriptions and connections that were ended, to be resumed, since their client read too slowly',
      registers,
    }),
  }
}
