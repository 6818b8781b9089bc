/** `GET /partner/v1/events`: events after a cursor, at once where there are some, else when one comes. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, requireRole } from '#core/access/principal.ts'
import { recordReach } from '#core/access/visibility.ts'
import { withDeadline } from '#core/async/deadline.ts'
import type { App } from '#core/context/app.ts'
import { operationsOf, readDocument, responseSchemas, routeOf } from '#core/contract/openapi.ts'
import { ACCOUNT_KINDS, type AccountKind } from '#core/events/account.ts'
import { type EventFilter, type EventRow, eventFilterFor } from '#core/events/event.ts'
import { fromEventCursor, readBounds, readEvents, toEventCursor } from '#core/events/read.ts'
import type { PathHost } from '#core/graph/subgraph.ts'
import { authenticate, callerOf, principalOf } from '#core/http/authenticate.ts'
import { hasLeft, isHttp2, releaseSlot } from '#core/http/responses.ts'
import { enterStream } from '#core/streams/connection.ts'
import { openSession } from '#core/streams/result-stream.ts'
import type { Query } from '#core/values/text.ts'
import { notificationParts } from '#core/webhooks/message.ts'
import { type Kinds, kindNamed } from '../kinds.ts'
import { limitOf, textParameter, wholeOf, wordList } from './parameters.ts'

/** The document of the partner tools: the stem of its file in `schema/`. */
export const PARTNER_DOCUMENT = 'partner'

/** Longest wait, in seconds. */
const LONGEST_WAIT = 30

/** Events that a request asks for. */
interface Asked {
  readonly filter: EventFilter
  readonly after: bigint
  readonly limit: number
}

const idFieldOf = (kinds: Kinds, kind: string): string =>
  ACCOUNT_KINDS[kind as AccountKind] ?? kindNamed(kinds, kind).idField

/** An event as clients read it: the webhook's, with its cursor. */
const toBody = ({ config }: App, kinds: Kinds, event: EventRow) => ({
  cursor: toEventCursor(event.position),
  kind: event.kind,
  ...notificationParts(event, idFieldOf(kinds, event.kind), config.timezone),
})

/** The filter of the caller's events, those of its account among them. */
const filterOf = (caller: Caller, kinds: Kinds, query: Query): EventFilter => {
  const names = [...kinds.map(({ name }) => name), ...Object.keys(ACCOUNT_KINDS)]
  const named = wordList(query, 'kind', names)
  return { ...eventFilterFor(caller, 'id', null), eventTypes: undefined, kinds: named }
}

const afterOf = async ({ db }: App, query: Query): Promise<bigint> => {
  const text = textParameter(query, 'after')
  if (text !== undefined && text !== 'now') return fromEventCursor('after', text)
  const { start, head } = await readBounds(db)
  return text === 'now' ? head : start
}

/** Reads the next events. A part of the log with other clients' events alone is passed over, on to the end of the log. */
const readNext = async (app: App, kinds: Kinds, { filter, after, limit }: Asked, signal: AbortSignal) => {
  let from = after
  for (;;) {
    signal.throwIfAborted()
    const { events, until, bounds } = await readEvents(app.db, from, filter, limit)
    const isEnd = until >= bounds.head
    if (events.length > 0 || isEnd)
      return { events: events.map(event => toBody(app, kinds, event)), until, more: !isEnd }
    from = until
  }
}

type Page = Awaited<ReturnType<typeof readNext>>

const answer = ({ events, until, more }: Page) => ({ events, cursor: toEventCursor(until), more })

/** Waits for an event of the feed: one reader of this process follows the log for all waits. */
const waitForEvent = async (
  app: App,
  { filter }: Asked,
  after: bigint,
  signal: AbortSignal,
): Promise<void> => {
  const stream = await app.feed.subscribe(filter, after)
  const end = () => void stream.return()
  signal.addEventListener('abort', end, { once: true })
  try {
    if (!signal.aborted) await stream.next()
  } finally {
    signal.removeEventListener('abort', end)
    await stream.return()
  }
}

/** Waits that a stop of the server ends. Each is answered with the events that there are. */
type Waiting = Set<AbortController>

interface Wait {
  readonly seconds: number
  readonly waiting: Waiting
  readonly streams: PathHost['streams']
}

/**
 * Opens the session of a wait and counts it as a stream. A wait that is refused leaves no session behind: each would
 * verify its token every few seconds until the token ends.
 */
const admit = async (app: App, streams: PathHost['streams'], request: FastifyRequest) => {
  const session = await openSession(app.access, request.headers.authorization)
  try {
    return { session, leave: enterStream(app, streams, session.principal) }
  } catch (error) {
    session.close()
    throw error
  }
}

/** Ends when there is an event, the time is over, the client has left, its token has ended, or the server stops. */
const wait = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { seconds, waiting, streams }: Wait,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { session, leave } = await admit(app, streams, request)
  const ended = new AbortController()
  const end = () => ended.abort()
  const timer = setTimeout(end, seconds * 1_000)
  reply.raw.once('close', end)
  session.signal.addEventListener('abort', end)
  waiting.add(ended)
  releaseSlot(request)
  try {
    if (!hasLeft(reply.raw)) await run(ended.signal)
    session.signal.throwIfAborted()
  } finally {
    waiting.delete(ended)
    clearTimeout(timer)
    session.close()
    leave()
  }
}

/** Registers the path. */
export const registerEvents = (app: App, kinds: Kinds) => {
  const contract = operationsOf(readDocument(PARTNER_DOCUMENT)).find(({ waits }) => waits)!
  const inTime = <T>(work: (signal: AbortSignal) => Promise<T>) =>
    withDeadline(app.config.requestTimeoutMs, work)

  return ({ http, streams, connections }: PathHost): void => {
    const waiting: Waiting = new Set()
    let isStopping = false
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as Query
      const seconds = wholeOf(query, 'wait', [0, LONGEST_WAIT]) ?? 0
      const { asked, page } = await inTime(async signal => {
        const caller = callerOf(app.accessRecords, request, signal)
        const filter = filterOf(caller, kinds, query)
        recordReach(caller, filter)
        const first = { filter, limit: limitOf(query), after: await afterOf(app, query) }
        return { asked: first, page: await readNext(app, kinds, first, signal) }
      })
      if (page.events.length > 0 || seconds === 0) return answer(page)
      const following = { ...asked, after: page.until }
      await wait(app, request, reply, { seconds, waiting, streams }, async signal => {
        // A stop ends the waits that it finds: one that begins later must not begin at all.
        if (!isStopping) await waitForEvent(app, following, page.until, signal)
      })
      // A stop closes idle connections once. This one is not idle yet then.
      if (isStopping && !isHttp2(reply.raw)) reply.header('connection', 'close')
      return answer(await inTime(signal => readNext(app, kinds, following, signal)))
    }
    http.route({
      method: 'GET',
      url: routeOf(contract.path),
      schema: { response: responseSchemas(readDocument(PARTNER_DOCUMENT), contract) },
      config: { way: 'REST', operation: contract.operationId },
      exposeHeadRoute: false,
      onRequest: [
        authenticate(app),
        async (request: FastifyRequest) =>
          requireRole(principalOf(request), contract.roles, contract.operationId),
      ],
      handler: serve,
    })
    const stop = () => {
      isStopping = true
      for (const one of waiting) one.abort()
    }
    connections.add({ name: 'waits for events', stop })
  }
}
