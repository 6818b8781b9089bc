/**
 * Answers of the graph as files: `Accept: text/csv` or `application/x-ndjson` at `/graphql`. A row for each entry of the
 * operation's first connection, page by page.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, GraphQLError, parse } from 'graphql'
import type { Principal } from '#core/access/principal.ts'
import { FairSlots } from '#core/async/fair-slots.ts'
import { actorOf, recordAlone } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { invalid, invalidField, unavailable } from '#core/errors/catalogue.ts'
import { checkOperationText } from '#core/graph/operation-limits.ts'
import { logFailure, requestFailure } from '#core/http/errors.ts'
import { traceOf } from '#core/http/observe.ts'
import { cut, hasLeft, releaseSlot } from '#core/http/responses.ts'
import { FORMATS, type Format, type FormatName, write } from '#core/http/row-files.ts'
import { streamCompressed } from '#core/http/stream-response.ts'
import { type ConnectionLimit, enterStream } from '#core/streams/connection.ts'
import {
  type GraphRequest,
  openSession,
  type Sender,
  type StreamSession,
} from '#core/streams/result-stream.ts'
import { graphRequestOf } from '../subscriptions/sse-request.ts'
import { parseOptions } from '../supergraph/cost.ts'
import type { SupergraphManager } from '../supergraph/version.ts'
import { type PageDependencies, PageFailure, type PagesRequest, readPages } from './pages.ts'
import { type FilePlan, planFile } from './plan.ts'

/** Most files in flight; a client has three quarters of them where it is alone. */
const FILES = 32
/** Most pages that are read at once. */
const PAGES = 2
/** Time after which a client at its limit may try again, in seconds. */
const RETRY_SECONDS = 5

export interface FileOptions {
  readonly app: App
  readonly manager: SupergraphManager
  readonly streams: ConnectionLimit
}

interface FileServer extends FileOptions, PageDependencies {
  readonly slots: FairSlots
}

/** Prefix of the keys under which Apollo Server keeps the texts of persisted queries. */
const PERSISTED_PREFIX = 'apq:'

/** Text of the operation; of a persisted query the one that was sent before. @throws ServiceError where there is none. */
const textOf = async ({ manager }: FileOptions, { query, extensions }: GraphRequest): Promise<string> => {
  if (query !== undefined && query !== '') return query
  const hash = (extensions?.['persistedQuery'] as { sha256Hash?: unknown } | undefined)?.sha256Hash
  const text = await manager.current().persistedQueries.get(`${PERSISTED_PREFIX}${hash}`)
  if (text === undefined)
    throw invalidField('query', 'REQUIRED', 'must be a text, or one that this server has')
  return text
}

const documentOf = (text: string): DocumentNode => {
  try {
    return parse(text, parseOptions)
  } catch (error) {
    if (error instanceof GraphQLError) throw invalid(error.message, { reason: 'INVALID_OPERATION' })
    throw error
  }
}

/** Plans the file, after the client's turn to have an operation parsed. */
const plan = async (options: FileOptions, request: GraphRequest, principal: Principal): Promise<FilePlan> => {
  const { usage } = options.app
  const text = await textOf(options, request)
  checkOperationText(text)
  usage.checkCost(principal)
  await usage.turn(principal)
  const { schema } = options.manager.current().parts
  return planFile(schema, documentOf(text), request.operationName, request.variables ?? {})
}

/** JSON lines hold rows as the graph gives them, nested; CSV has a column for each field. */
const formatOf = (name: FormatName): Format => {
  if (name === 'csv') return FORMATS.csv
  return { ...FORMATS.ndjson, line: (_columns, row) => `${JSON.stringify(row)}\n` }
}

const headersOf = (name: FormatName, operationName: string | undefined) => ({
  'content-type': FORMATS[name].contentType,
  'content-disposition': `attachment; filename="${operationName ?? 'result'}.${name}"`,
  'cache-control': 'no-store',
})

/** Takes a slot; the result frees it. @throws ServiceError SERVICE_UNAVAILABLE at a limit. */
const enter = ({ app, streams, slots }: FileServer, principal: Principal) => {
  const free = slots.take(principal.clientId)
  if (!free)
    throw unavailable('Too many files are under way; try again when one of them has ended', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  try {
    const leave = enterStream(app, streams, principal)
    return () => {
      leave()
      free()
    }
  } catch (error) {
    free()
    throw error
  }
}

const senderOf =
  ({ app }: FileOptions, request: FastifyRequest, { principal }: StreamSession) =>
  (): Sender => ({
    principal,
    correlator: request.id,
    user: request.facts!.user,
    trail: app.accessRecords.trailOf(request.facts!),
    trace: traceOf(request.headers),
    authorization: request.headers.authorization!,
    readOnly: true,
  })

/** Yields everything. The first was awaited before, so that a failure until then is an ordinary response. */
async function* withFirst<Item>(first: IteratorResult<Item, void>, rest: AsyncGenerator<Item, void>) {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return()
  }
}

interface Opened {
  readonly chunks: AsyncGenerator<string>
  readonly headers: ReturnType<typeof headersOf>
  readonly leave: () => void
}

const open = async (
  server: FileServer,
  name: FormatName,
  request: FastifyRequest,
  session: StreamSession,
): Promise<Opened> => {
  const { principal, signal } = session
  const leave = enter(server, principal)
  try {
    const operation = graphRequestOf(request)
    const planned = await plan(server, operation, principal)
    const { facts } = request
    if (facts)
      Object.assign(facts, { way: 'EXPORT', operation: planned.operationName, operationType: 'query' })
    const sender = senderOf(server, request, session)
    const asked: PagesRequest = { plan: planned, variables: operation.variables ?? {}, sender, signal }
    const pages = readPages(server, asked)
    const rows = withFirst(await pages.next(), pages)
    const details = { format: name, rows: planned.path.join('.') }
    await recordAlone(server.app, {
      actor: actorOf(sender()),
      action: 'RESULT_EXPORTED',
      ...(planned.operationName !== undefined && { target: planned.operationName }),
      details,
    })
    const texts = write(formatOf(name), planned.columns, rows)
    return {
      chunks: withFirst(await texts.next(), texts),
      headers: headersOf(name, planned.operationName),
      leave,
    }
  } catch (error) {
    leave()
    throw error
  }
}

/** Answers with the errors of the first page, as the graph does, with the status of the first of them. */
const answerErrors = (reply: FastifyReply, { errors }: PageFailure) => {
  const http = errors[0]?.extensions?.['http'] as { status?: number } | undefined
  reply.request.facts?.failInGraph(errors[0]!)
  return reply
    .code(http?.status ?? 400)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors }))
}

/** Makes the handler, and a function that breaks off every file in flight, like any failure. */
export function createFiles(options: FileOptions) {
  const server: FileServer = { ...options, slots: new FairSlots(FILES), turns: new FairSlots(PAGES) }
  const sending = new Set<FastifyReply>()
  const handler = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: FormatName,
  ): Promise<unknown> => {
    const session = await openSession(options.app.access, request.headers.authorization)
    try {
      const { chunks, headers, leave } = await open(server, name, request, session)
      reply.raw.once('close', leave)
      if (hasLeft(reply.raw)) leave()
      releaseSlot(request)
      sending.add(reply)
      await streamCompressed(reply, { status: 200, headers }, chunks)
    } catch (error) {
      if (!reply.sent && error instanceof PageFailure) return answerErrors(reply, error)
      if (!reply.sent) throw error
      logFailure(request, error as Error, requestFailure(error as Error))
    } finally {
      sending.delete(reply)
      session.close()
    }
    return reply
  }
  return { handler, stop: () => sending.forEach(({ raw }) => cut(raw)) }
}
