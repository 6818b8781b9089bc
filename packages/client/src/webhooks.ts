/**
 * Receiver of webhooks: verifies who sent a message and when, and handles each event once (docs/webhooks.md). It needs Web
 * Crypto and `fetch` alone, so it runs in Node.js, and wherever a request is answered with a `Response`.
 */
import { publishedKeys } from './webhooks/published-keys.ts'
import { memoryReplayStore, type ReplayStore } from './webhooks/replays.ts'
import { byPublicKey, bySecret, fromBase64, type Verifier } from './webhooks/signatures.ts'

export { type MemoryReplayOptions, memoryReplayStore, type ReplayStore } from './webhooks/replays.ts'

/** Body of a webhook: the contract's `EventNotification`. */
export interface EventNotification {
  readonly eventSubscriptionid: string
  readonly event: {
    readonly eventid: string
    readonly eventType: 'PAYMENT_COMPLETED' | 'PAYMENT_FAILED'
    readonly eventTime: string
    readonly eventDetail: EventDetail
  }
}

/** One of the ids is there: `paymentId`, `rechargeId`, `rewardId` or `redemptionId`. */
export interface EventDetail {
  readonly paymentId?: string
  readonly rechargeId?: string
  readonly rewardId?: string
  readonly redemptionId?: string
  readonly clientCorrelatorId?: string
  readonly status: 'succeeded' | 'failed'
  readonly description: string
  readonly paymentDate?: string
}

/** Reasons to refuse a message. */
export type WebhookRefusalReason = 'NOT_SIGNED' | 'TOO_OLD' | 'TOO_NEW' | 'WRONG_SIGNATURE' | 'NOT_JSON'

/** Thrown for a message that does not come from the server, or not now. */
export class WebhookRefusal extends Error {
  readonly reason: WebhookRefusalReason

  constructor(reason: WebhookRefusalReason, message: string) {
    super(message)
    this.name = 'WebhookRefusal'
    this.reason = reason
  }
}

export interface ReceiverOptions {
  /** Signing secrets (`whsec_…`): several while the secret is being changed. */
  readonly secrets?: readonly string[]
  /** Public keys: the address of a JWK set (`https://graph.example/.well-known/jwks.json`), or `whpk_…` texts. */
  readonly publicKeys?: string | readonly string[]
  /** How old or new a message may be, in seconds; 300 unless set. */
  readonly toleranceSeconds?: number
  /** Ids of handled events; in memory unless set. */
  readonly replays?: ReplayStore
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Headers of a request, of `fetch` or of Node.js. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Whether an event was new, or had been handled already. */
export type Handled = 'handled' | 'known'

export interface WebhookReceiver {
  /**
   * Verifies a message by any of the secrets and keys.
   * @param body the raw text, before any JSON is parsed.
   * @throws WebhookRefusal with its reason; Error where the public keys cannot be read.
   */
  verify(headers: RequestHeaders, body: string): Promise<EventNotification>
  /**
   * Verifies, and calls `handler` for an event that was not handled yet. An event counts as handled once `handler` has
   * resolved; where it rejects, it comes again. Copies that come meanwhile wait for it.
   */
  receive(headers: RequestHeaders, body: string, handler: Handler): Promise<Handled>
  /**
   * Answers a request: 204, 400 for what is refused, 413 for a body that is too large, 500 where `handler` rejects, so that the
   * event is sent again.
   * @param onFault called with refusals, and with the error that `handler` rejects with.
   */
  respond(request: Request, handler: Handler, onFault?: (error: unknown) => void): Promise<Response>
}

export type Handler = (notification: EventNotification) => unknown

const headerOf = (headers: RequestHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : (value?.join(' ') ?? '')
}

const DEFAULT_TOLERANCE_SECONDS = 300
/** Most signatures of a message that are looked at. */
const MAX_SIGNATURES = 20
/** Largest body in octets; a webhook has about 600. */
const MAX_OCTETS = 65_536

/** Reads a body as text; undefined where it is too large. No more of it is read then. */
const readBody = async ({ body }: Request): Promise<string | undefined> => {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, octets] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    octets += value.length
    if (octets > MAX_OCTETS) return void (await reader.cancel())
    text += decoder.decode(value, { stream: true })
  }
}

interface Signature {
  readonly version: string
  readonly octets: Uint8Array<ArrayBuffer>
}

const signaturesOf = (header: string): Signature[] =>
  header
    .split(' ')
    .slice(0, MAX_SIGNATURES)
    .flatMap(one => {
      const [version, value] = one.split(',')
      const octets = value ? fromBase64(value) : undefined
      return version && octets ? [{ version, octets }] : []
    })

const matches = async (
  signatures: readonly Signature[],
  verifiers: readonly Verifier[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  for (const { version, octets } of signatures)
    for (const verifier of verifiers)
      if (verifier.version === version && (await verifier.verify(content, octets))) return true
  return false
}

const checkTime = (timestamp: string, now: number, toleranceSeconds: number) => {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (Number.isNaN(seconds))
    throw new WebhookRefusal('NOT_SIGNED', 'webhook-timestamp must be seconds since 1970')
  const age = now / 1_000 - seconds
  if (age > toleranceSeconds) throw new WebhookRefusal('TOO_OLD', `the message is ${Math.round(age)} s old`)
  if (age < -toleranceSeconds)
    throw new WebhookRefusal('TOO_NEW', `the message is ${Math.round(-age)} s ahead: compare the clocks`)
}

const parseNotification = (body: string): EventNotification => {
  try {
    const parsed = JSON.parse(body)
    if (typeof parsed?.event?.eventid === 'string') return parsed
  } catch {
    // Told below.
  }
  throw new WebhookRefusal('NOT_JSON', 'the body is no EventNotification')
}

/**
 * Makes a receiver.
 * @throws TypeError where there is neither a secret nor a public key, or one of them is malformed (when it first verifies).
 */
export function createWebhookReceiver(options: ReceiverOptions): WebhookReceiver {
  const {
    secrets = [],
    publicKeys = [],
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    now = Date.now,
  } = options
  const { replays = memoryReplayStore({ now }) } = options
  if (secrets.length === 0 && publicKeys.length === 0)
    throw new TypeError('a receiver needs secrets, publicKeys or both: without them nothing can be verified')
  const published = typeof publicKeys === 'string' ? publishedKeys(publicKeys, now) : undefined
  const given = typeof publicKeys === 'string' ? [] : publicKeys
  let fixed: Promise<Verifier[]> | undefined
  const fixedVerifiers = () => {
    fixed ??= Promise.all([...secrets.map(bySecret), ...given.map(byPublicKey)])
    return fixed
  }
  const isGenuine = async (signatures: readonly Signature[], content: Uint8Array<ArrayBuffer>) => {
    if (await matches(signatures, await fixedVerifiers(), content)) return true
    if (!published || !signatures.some(({ version }) => version === 'v1a')) return false
    if (await matches(signatures, await published.current(), content)) return true
    return matches(signatures, (await published.renewed()) ?? [], content)
  }
  const verify: WebhookReceiver['verify'] = async (headers, body) => {
    const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
    const signatures = signaturesOf(headerOf(headers, 'webhook-signature'))
    if (id === '' || timestamp === '' || signatures.length === 0)
      throw new WebhookRefusal('NOT_SIGNED', 'webhook-id, webhook-timestamp and webhook-signature are needed')
    checkTime(timestamp, now(), toleranceSeconds)
    if (!(await isGenuine(signatures, new TextEncoder().encode(`${id}.${timestamp}.${body}`))))
      throw new WebhookRefusal('WRONG_SIGNATURE', 'no signature is that of a known secret or key')
    return parseNotification(body)
  }
  const underWay = new Map<string, Promise<unknown>>()
  const receive: WebhookReceiver['receive'] = async (headers, body, handler) => {
    const notification = await verify(headers, body)
    const { eventid } = notification.event
    for (let other = underWay.get(eventid); other; other = underWay.get(eventid))
      await other.catch(() => undefined)
    const work = (async (): Promise<Handled> => {
      if (await replays.has(eventid)) return 'known'
      await handler(notification)
      await replays.add(eventid)
      return 'handled'
    })().finally(() => underWay.delete(eventid))
    underWay.set(eventid, work)
    return work
  }
  return {
    verify,
    receive,
    async respond(request, handler, onFault = () => undefined) {
      try {
        const body = await readBody(request)
        if (body === undefined) return new Response('the body is too large', { status: 413 })
        await receive(request.headers, body, handler)
        return new Response(null, { status: 204 })
      } catch (error) {
        onFault(error)
        if (error instanceof WebhookRefusal) return new Response(error.message, { status: 400 })
        return new Response('the event could not be handled', { status: 500 })
      }
    },
  }
}
