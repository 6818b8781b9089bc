/** A subscriber on either transport that is cut, by itself or by a fault, and resumes behind the last event that it saw. */
import { setTimeout as delay } from 'node:timers/promises'
import { toEventCursor } from '#core/events/read.ts'
import { bearer, connect, type Incoming, type Result, subscribeSse } from '#test/support/subscribe.ts'
import type { SubscriberLine } from '../history/lines.ts'
import type { Recorder } from '../history/recorder.ts'
import type { Caller } from './caller.ts'
import type { Random } from './posts.ts'

const AGAIN_MS = 150
/** Longest that a connection is kept, so that each resumes often. */
const KEPT_MS = 15_000
/** Ends that pass: the subscriber comes back. Others are told of. */
const PASSING = new Set(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED', 'UNAUTHORIZED'])

/** Codes with which a WebSocket is closed for its token. */
const TOKEN_CODES: readonly unknown[] = [4401, 4403]

/** Whether a connection ended since its token is not good any more: it has expired, as a rule. */
const isForToken = (end: unknown): boolean => {
  const { code, response } = (end ?? {}) as { code?: unknown; response?: { status: number } }
  return TOKEN_CODES.includes(code) || response?.status === 401
}

export interface SubscriberOptions {
  readonly line: SubscriberLine
  readonly caller: Caller
  readonly recorder: Recorder
  readonly random: Random
  /** Position of the event behind which it begins. */
  readonly after: number
}

const SELECTIONS: Readonly<Record<string, string>> = {
  transactionEvents: 'cursor eventid status transaction { id transactionOperationStatus }',
}

export class Subscriber {
  readonly #options: SubscriberOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #cursor: string
  last: string | undefined
  seen = 0
  cuts = 0

  constructor(options: SubscriberOptions) {
    this.#options = options
    this.#cursor = toEventCursor(BigInt(options.after))
    options.recorder.write(options.line)
    this.#running = this.#run()
  }

  get name(): string {
    return this.#options.line.name
  }

  get field(): string {
    return this.#options.line.field
  }

  get kind(): string | undefined {
    return this.#options.line.kind
  }

  get client(): string {
    return this.#options.line.client
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#listen().catch(() => undefined)
      this.cuts++
      await delay(AGAIN_MS)
    }
  }

  /** Ends by failing, at the latest when the connection was kept long enough. */
  async #listen(): Promise<void> {
    const { caller, line, random } = this.#options
    const address = caller.nextAddress()
    const token = await caller.token(address)
    using connection = new DisposableStack()
    const events = this.#subscribe(connection, address, token)
    const end = () => connection.dispose()
    const timer = setTimeout(end, 1_000 + random(KEPT_MS))
    connection.defer(() => clearTimeout(timer))
    this.#stop.signal.addEventListener('abort', end, { once: true })
    const ended = events.ended.then(error => {
      this.#noteEnd(error)
      throw error
    })
    const disposed = Promise.withResolvers<never>()
    connection.defer(() => disposed.reject(new Error('cut')))
    // Whichever comes first is waited for; the other is no failure of its own.
    for (const other of [ended, disposed.promise]) other.catch(() => undefined)
    for (;;) this.#take(await Promise.race([events.next(), ended, disposed.promise]), line.field)
  }

  #subscribe(connection: DisposableStack, address: string, token: string): Incoming {
    const { transport, field } = this.#options.line
    const query = `subscription ($after: String) { ${field}(after: $after) { ${SELECTIONS[field] ?? 'cursor eventid eventDetail { status }'} } }`
    const variables = { after: this.#cursor }
    if (transport === 'sse')
      return connection.use(subscribeSse(`${address}/graphql/stream`, token, query, variables))
    const socket = connection.use(connect(address, bearer(token)))
    return connection.use(socket.subscribe(query, variables))
  }

  #take({ data, errors }: Result, field: string): void {
    const event = data?.[field]
    if (!event) {
      this.#noteEnd(errors)
      throw new Error('ended')
    }
    this.#cursor = event.cursor
    this.last = event.eventid
    this.seen++
    const status = event.status ?? event.eventDetail?.status
    this.#options.recorder.write({
      t: 'event',
      at: Date.now(),
      subscriber: this.name,
      cursor: event.cursor,
      eventid: event.eventid,
      ...(status && { status }),
    })
  }

  #noteEnd(errors: unknown): void {
    if (isForToken(errors)) this.#options.caller.forgetToken()
    if (!Array.isArray(errors)) return
    for (const { message, extensions } of errors) {
      if (extensions?.code === 'UNAUTHORIZED') this.#options.caller.forgetToken()
      if (PASSING.has(extensions?.code)) continue
      this.#options.recorder.write({
        t: 'notice',
        at: Date.now(),
        what: 'subscriber',
        text: `${this.name}: ${extensions?.code} ${message}`,
      })
    }
  }
}
