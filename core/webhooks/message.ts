/**
 * The message that an endpoint gets: the contract's `EventNotification` (contract document 1), the token, and a signature
 * after the Standard Webhooks specification 1.0 (HMAC-SHA256 over id, time and body).
 */
import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Access } from '../access/access.ts'
import { WEBHOOK_SECRET_PREFIX } from '../access/webhook-secrets.ts'
import type { Config } from '../config/config.ts'
import { callbackOf } from '../egress/callback-policy.ts'
import { traceHeaders } from '../observability/tracing.ts'
import { formatOffset } from '../values/time.ts'
import type { WebhookMessage } from './attempt.ts'
import { type EndpointTerms, secretsOf } from './registered-endpoints.ts'

/** Parts of a process that writing messages needs. */
export interface MessageDependencies {
  readonly config: Config
  readonly access: Access
}

/** An event on its way to an endpoint. */
export interface NotifiedEvent {
  readonly eventid: string
  readonly transactionId: string
  readonly eventType: string
  readonly eventTime: Date
  readonly status: string
  readonly description: string
  readonly clientCorrelatorId: string | null
  readonly paymentDate: Date | null
  /** Further members of `eventDetail`, of an event of the account. */
  readonly detail?: object | null
}

/**
 * An event as clients get it, by whichever way.
 * @param idField the service's name for its id, e.g. `paymentId`.
 */
export const notificationParts = (event: NotifiedEvent, idField: string, timezone: string) => {
  const { eventid, eventType, eventTime, transactionId, clientCorrelatorId, paymentDate } = event
  return {
    eventid,
    eventType,
    eventTime: formatOffset(eventTime, timezone),
    eventDetail: {
      [idField]: transactionId,
      ...(clientCorrelatorId !== null && { clientCorrelatorId }),
      status: event.status,
      description: event.description,
      ...(paymentDate && { paymentDate: formatOffset(paymentDate, timezone) }),
      ...event.detail,
    },
  }
}

/** The body of a message, the same over all attempts. */
export const notificationOf = (event: NotifiedEvent, idField: string, timezone: string): string =>
  JSON.stringify({
    // A transaction brings at most one webhook along, so its id is the registration's too.
    eventSubscriptionid: event.transactionId,
    event: notificationParts(event, idField, timezone),
  })

/**
 * The body of a message as CloudEvents 1.0 has it in structured mode: the contract's notification is its data.
 * @param notification the text of the notification.
 */
const cloudEventOf = (event: NotifiedEvent, kind: string, notification: string): string => {
  const attributes = {
    specversion: '1.0',
    id: event.eventid,
    source: '/partner-graph',
    type: `partner-graph.${kind}.${event.eventType}`,
    subject: event.transactionId,
    time: event.eventTime.toISOString(),
    datacontenttype: 'application/json',
  }
  return `${JSON.stringify(attributes).slice(0, -1)},"data":${notification}}`
}

/**
 * The three headers that sign one attempt; none without a secret, several signatures while the secret is being changed.
 * @param now milliseconds since 1970.
 */
export function signatureHeaders(
  id: string,
  body: string | Buffer,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  if (secrets.length === 0) return {}
  const timestamp = `${Math.floor(now / 1_000)}`
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

/** Addresses of at most 2 KiB each; the events of an endpoint share one. */
const CALLBACKS_KEPT = 512
const callbacks = new LRUCache<string, URL>({ max: CALLBACKS_KEPT, memoMethod: callbackOf })

/** Inputs of a message. */
export interface MessageOptions {
  readonly event: NotifiedEvent
  /** The contract's id field of the event's kind. */
  readonly idField: string
  /** The client with whose secrets it is signed. */
  readonly clientId: string
  readonly notificationUrl: string
  readonly token: string | undefined
  /** The terms of a registered endpoint: its form and its secrets, in place of the client's. */
  readonly terms?: EndpointTerms | null | undefined
  /** The kind of the event, which CloudEvents name. */
  readonly kind?: string
  /** Place of the attempt in a trace, which the endpoint may continue. */
  readonly trace?: string | null | undefined
  /** The id by which the attempt is found in our log and in the graph; that of a delivery is its own. */
  readonly correlator: string
}

/** Builds a message. @param now milliseconds since 1970, for the signature. */
export async function writeMessage(
  { access, config }: MessageDependencies,
  { event, idField, clientId, notificationUrl, token, terms, kind, trace, correlator }: MessageOptions,
  now: number,
): Promise<WebhookMessage> {
  const notification = notificationOf(event, idField, config.timezone)
  const isCloudEvent = terms?.format === 'CLOUDEVENTS'
  const body = isCloudEvent ? cloudEventOf(event, kind ?? '', notification) : notification
  const secrets = terms ? secretsOf(access.cipher, terms, now) : await access.webhookSecrets.of(clientId, now)
  return {
    url: isCloudEvent ? new URL(notificationUrl) : callbacks.memo(notificationUrl),
    body,
    headers: {
      ...(isCloudEvent && { 'content-type': 'application/cloudevents+json; charset=utf-8' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'x-correlator': correlator,
      ...traceHeaders(trace),
      ...signatureHeaders(event.eventid, body, secrets, now),
    },
    address: notificationUrl,
    token,
  }
}
