/** Subscribers of one event log at several sites, each of which resumes after its last event whatever ends its connection. */
import { setTimeout as delay } from 'node:timers/promises'
import { fromEventCursor } from '#core/events/read.ts'
import { bearer, connect, type Incoming, type Result, subscribeSse } from '#test/support/subscribe.ts'

/** An event as it arrived. */
export interface Arrival {
  readonly position: number
  readonly transactionId: string
  readonly at: number
}

/** An end of a connection that nobody had asked for. */
export interface Ending {
  readonly at: number
  readonly code: string
  /** Where the server says to resume; undefined where it says nothing. */
  readonly cursor: string | undefined
  /** Cursor of the last event that had arrived. */
  readonly last: string
}

/** Gives events after a cursor, until the connection ends. */
export type Way = (address: string, after: string, signal: AbortSignal) => AsyncGenerator<Followed, void>

interface Followed {
  readonly cursor: string
  readonly transactionId: string
}

/** End of a connection, in the words of the server. */
class Ended extends Error {
  readonly code: string
  readonly cursor: string | undefined

  constructor(code: string, cursor?: string) {
    super(code)
    this.code = code
    this.cursor = cursor
  }
}

const EVENT = 'cursor transaction { id }'
/** Fields that another service has: one more request for each event. */
const WITH_FIELDS = 'cursor transaction { id ... on Payment { amount { value } } ... on Reward { points } }'

const queryOf = (fields: string) =>
  `subscription($after: String) { transactionEvents(after: $after) { ${fields} } }`

const eventOf = ({ data, errors = [] }: Result): Followed => {
  const event = data?.transactionEvents
  if (event) return { cursor: event.cursor, transactionId: event.transaction?.id ?? '' }
  const { code, cursor } = (errors[0]?.extensions ?? {}) as { code?: string; cursor?: string }
  throw new Ended(code ?? 'no event', cursor)
}

/** Reason that a client was told when its subscription ended. */
const endingOf = (reason: unknown): Ended => {
  if (Array.isArray(reason)) {
    const [{ extensions = {} } = {}] = reason as { extensions?: { code?: string; cursor?: string } }[]
    return new Ended(extensions.code ?? 'error', extensions.cursor)
  }
  const { code, message, response } = (reason ?? {}) as {
    code?: number
    message?: string
    response?: Response
  }
  if (response) return new Ended(`status ${response.status}`)
  return new Ended(code === undefined ? (message ?? 'completed') : `closed ${code}`)
}

async function* eventsOf(incoming: Incoming, signal: AbortSignal): AsyncGenerator<Followed, void> {
  const stop = () => incoming[Symbol.dispose]()
  signal.addEventListener('abort', stop)
  try {
    while (!signal.aborted) {
      const result = await incoming.next().catch(async () => {
        throw endingOf(await incoming.ended)
      })
      yield eventOf(result)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Follows over a WebSocket. */
export const overWebSocket = (token: string, fields = EVENT): Way =>
  async function* follow(address, after, signal) {
    using socket = connect(address, bearer(token))
    yield* eventsOf(socket.subscribe(queryOf(fields), { after }), signal)
  }

/** Follows over a WebSocket, with fields of the services that own the transactions. */
export const withFields = (token: string): Way => overWebSocket(token, WITH_FIELDS)

/** Follows over server-sent events. */
export const overSse =
  (token: string): Way =>
  (address, after, signal) =>
    eventsOf(subscribeSse(`${address}/graphql/stream`, token, queryOf(EVENT), { after }), signal)

interface Page {
  readonly events: readonly { readonly cursor: string; readonly eventDetail: Record<string, string> }[]
  readonly cursor: string
}

const WAIT_SECONDS = 5

/** Follows by long poll. */
export const overPoll = (token: string): Way =>
  async function* follow(address, start, signal) {
    let after = start
    while (!signal.aborted) {
      const url = `${address}/partner/v1/events?wait=${WAIT_SECONDS}&after=${after}`
      const response = await fetch(url, { headers: bearer(token), signal })
      const body = (await response.json()) as Page & { code?: string }
      if (!response.ok) throw new Ended(body.code ?? String(response.status))
      for (const { cursor, eventDetail } of body.events)
        yield { cursor, transactionId: eventDetail['paymentId'] ?? eventDetail['rewardId'] ?? '' }
      after = body.cursor
    }
  }

const PAUSE_MS = 250

export interface FollowerOptions {
  readonly name: string
  readonly way: Way
  /** Sites in turn, each until its connection ends. */
  readonly sites: readonly string[]
  readonly after: string
  /** Time after which it goes on to the next site by itself; it stays when absent. */
  readonly moveMs?: number
}

/** A subscriber that never gives up. */
export class Follower {
  readonly name: string
  readonly arrivals: Arrival[] = []
  readonly endings: Ending[] = []
  readonly #options: FollowerOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #after: string

  constructor(options: FollowerOptions) {
    this.name = options.name
    this.#options = options
    this.#after = options.after
    this.#running = this.#run()
  }

  /** Position of the last event that arrived. */
  get position(): number {
    return Number(fromEventCursor('cursor', this.#after))
  }

  stop(): Promise<void> {
    this.#stop.abort()
    return this.#running
  }

  async #run(): Promise<void> {
    const { sites } = this.#options
    for (let turn = 0; !this.#stop.signal.aborted; turn++) {
      const moving = new AbortController()
      const { moveMs } = this.#options
      const timer = moveMs === undefined ? undefined : setTimeout(() => moving.abort(), moveMs)
      const signal = AbortSignal.any([this.#stop.signal, moving.signal])
      await this.#follow(sites[turn % sites.length]!, signal).catch(error => {
        if (signal.aborted) return
        const { code = String(error), cursor } = error as Partial<Ended>
        this.endings.push({ at: Date.now(), code, cursor, last: this.#after })
      })
      clearTimeout(timer)
      if (!signal.aborted) await delay(PAUSE_MS)
    }
  }

  async #follow(site: string, signal: AbortSignal): Promise<void> {
    for await (const { cursor, transactionId } of this.#options.way(site, this.#after, signal)) {
      this.#after = cursor
      const position = Number(fromEventCursor('cursor', cursor))
      this.arrivals.push({ position, transactionId, at: Date.now() })
    }
  }
}
