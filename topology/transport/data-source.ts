/** Subgraph calls to another process: one JSON text out, one in, and never a failure that is not an error of GraphQL. */
import { readsOnly, ServiceError } from '#core/errors/catalogue.ts'
import { failedResult } from '#core/errors/graphql-errors.ts'
import type { Logger } from '#core/observability/log.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { dedupeEntities } from '#gateway/transport/dedupe-entities.ts'
import { representationsOf, sentOperation } from '#gateway/transport/operation-text.ts'
import type { Fetch, SubgraphSource } from '#gateway/transport/transport.ts'
import { withExtendedDeadline } from '#topology/upstream/extended-deadline.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import type { Upstreams } from '#topology/upstream/upstreams.ts'
import { coalesceReads } from './coalesce-reads.ts'
import { isFault, readResponse } from './read-response.ts'
import { variablesText } from './variables-text.ts'

type Request = Fetch['request']

const ACCEPT = 'application/graphql-response+json, application/json'

/** The fields that wait for an outside system: a webhook's receiver. */
const LONG_FIELDS: ReadonlySet<string> = new Set(['sendTestEvent'])

/** How a subgraph is used. */
export interface SourceOptions {
  /** Whether mutations are refused here, whatever the subgraph would do. */
  readonly readOnly?: boolean
}

const sendOperation = async (
  upstream: Upstream,
  request: Request,
  { headers, caller }: GatewayContext,
  { readOnly }: SourceOptions,
) => {
  const { isQuery: isRead, rootFields, bodyStart } = sentOperation(request.query!, request.operationName)
  if (readOnly && !isRead) throw readsOnly()
  const isLong = rootFields.some(field => LONG_FIELDS.has(field))
  const send = (signal: AbortSignal) =>
    upstream.request({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: ACCEPT },
      body: `${bodyStart}${variablesText(request.variables)}}`,
      clientId: caller.principal.clientId,
      isLong,
      signal,
      isRead,
      isFault,
    })
  const response = await (isRead ? send(caller.signal) : withExtendedDeadline(caller.signal, send))
  return readResponse(upstream.name, response, representationsOf(request))
}

/** Foreseen failures leave with their code; a subgraph's nonsense is logged and masked. */
const failed = (error: unknown, log: Logger, subgraph: string, { caller }: GatewayContext) => {
  const own = log.child({ correlator: caller.correlator, subgraph })
  if (error instanceof ServiceError) own.warn({ err: error }, error.message)
  else own.error({ err: error }, 'unexpected response from a subgraph')
  return failedResult(error)
}

/** The data source of one subgraph in another process. */
export function createHttpSource(
  upstream: Upstream,
  log: Logger,
  options: SourceOptions = {},
): SubgraphSource {
  return {
    process: ({ request, context }) =>
      sendOperation(upstream, request, context, options).catch(error =>
        failed(error, log, upstream.name, context),
      ),
  }
}

/** The same with all that spares calls: repeated entities sent once, identical reads in flight shared. */
export const createRemoteSource = (
  upstream: Upstream,
  upstreams: Upstreams,
  log: Logger,
  options?: SourceOptions,
): SubgraphSource => dedupeEntities(coalesceReads(createHttpSource(upstream, log, options), upstreams.writes))
