/** The path `/mcp`: who may send a message, and how long its answer may take. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '#core/async/deadline.ts'
import { ConfigError } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import type { ServerContext } from '#core/create-server.ts'
import { invalid, ServiceError } from '#core/errors/catalogue.ts'
import { authenticate, principalOf } from '#core/http/authenticate.ts'
import { timeSpent, traceOf } from '#core/http/observe.ts'
import type { RunOperation, Sender } from '#core/streams/result-stream.ts'
import { OPERATION_COST } from '../operation/explain.ts'
import type { TrustedDocuments } from '../operation/trusted-documents.ts'
import type { SupergraphManager, SupergraphVersion } from '../supergraph/version.ts'
import type { Tools } from './tools.ts'

export interface McpOptions {
  readonly manager: SupergraphManager
  readonly documents: TrustedDocuments
  readonly run: RunOperation
}

/**
 * Refuses messages of pages that may not call (Streamable HTTP, "Security Warning"): a page could have its name resolve to
 * this machine, and its host is then its own, so that the host says nothing.
 */
const checkOrigin =
  ({ config: { corsOrigins } }: App) =>
  async ({ headers: { origin } }: FastifyRequest): Promise<void> => {
    if (origin === undefined || corsOrigins.allows(origin)) return
    throw new ServiceError('PERMISSION_DENIED', 'Pages of this origin may not call: see CORS_ORIGINS')
  }

const senderOf = (app: App, request: FastifyRequest): Sender => ({
  principal: principalOf(request),
  correlator: request.id,
  user: request.facts!.user,
  trail: app.accessRecords.trailOf(request.facts!),
  trace: traceOf(request.headers),
  authorization: request.headers.authorization!,
})

/** Loads what the first message needs: a start has no use for it. */
const load = () =>
  Promise.all([import('./server.ts'), import('./tools.ts'), import('./documents.ts')] as const)

/**
 * Requires each name of `MCP_MUTATIONS` to be that of a mutation.
 * @throws ConfigError naming those that are not.
 */
async function requireMutations({ config }: App, documents: TrustedDocuments): Promise<void> {
  const { mutations } = config.mcp
  if (mutations.length === 0) return
  const [, , { readToolDocuments }] = await load()
  const known = readToolDocuments(documents, config)
    .filter(({ operation }) => operation.operation === 'mutation')
    .map(({ name }) => name)
  const faults = mutations.filter(name => !known.includes(name))
  if (faults.length > 0)
    throw new ConfigError(
      faults.map(
        name => `MCP_MUTATIONS names no mutation: ${JSON.stringify(name)}; there are ${known.join(', ')}`,
      ),
    )
}

/** Makes the function that gives the tools of the supergraph that serves now, made once for each. */
const createToolsOf = async ({ config }: App, { manager, documents }: McpOptions): Promise<() => Tools> => {
  const [, { createTools }, { readToolDocuments }] = await load()
  const read = readToolDocuments(documents, config)
  const known = new WeakMap<SupergraphVersion, Tools>()
  return () => {
    const version = manager.current()
    const tools = known.get(version) ?? createTools(version.parts, read, config.mcp.mutations)
    known.set(version, tools)
    return tools
  }
}

const open = async (app: App, options: McpOptions) => {
  const [{ createAgentHandler, answer }] = await load()
  const tools = await createToolsOf(app, options)
  const onFault = (error: Error) => app.log.debug({ err: error }, 'a message of an agent was refused')
  const handler = createAgentHandler({ run: options.run, tools, onFault })
  return { handler, answer }
}

/**
 * Serves `/mcp`, unless `MCP` is 0. A message is one request of its client: it counts in the client's quotas, and what a
 * tool executes is an operation of the graph like any other.
 * @throws ConfigError for a name in `MCP_MUTATIONS` that is none.
 */
export async function registerMcp(
  { app, http, resources }: ServerContext,
  options: McpOptions,
): Promise<void> {
  const { enabled } = app.config.mcp
  if (!enabled) return
  await requireMutations(app, options.documents)
  let opened: ReturnType<typeof open> | undefined
  resources.add({ name: 'agents', stop: async () => void (await (await opened)?.handler.close()) })
  const respond = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body } = request
    // One message, one operation: a list of them would count once in the quotas.
    if (Array.isArray(body))
      throw invalid('A message must be one JSON object: lists of messages are not taken')
    // One that failed is tried again by the next message.
    opened ??= open(app, options).catch(error => {
      opened = undefined
      throw error
    })
    const { handler, answer } = await opened
    const { headers } = request
    const [response, text] = await withDeadline(
      app.config.requestTimeoutMs,
      async signal => {
        const given = await answer(handler, { headers, body, sender: senderOf(app, request), signal })
        // An answer is read whole: no stream stays open, whichever form the protocol gives it.
        return [given, await given.text()] as const
      },
      timeSpent(request),
    )
    const type = response.headers.get('content-type')
    if (type) reply.type(type)
    const cost = request.facts?.cost
    if (cost !== undefined) reply.header(OPERATION_COST, cost)
    return reply.code(response.status).header('cache-control', 'no-store').send(text)
  }
  http.route({
    method: 'POST',
    url: '/mcp',
    config: { way: 'GRAPH' },
    onRequest: [checkOrigin(app), authenticate(app)],
    handler: respond,
  })
}
