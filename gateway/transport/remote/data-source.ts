/** Subgraph calls to another process: one JSON text out, one in, and never a failure that is not an error of GraphQL. */
import { ServiceError } from '../../../subgraphs/shared/errors/catalogue.ts'
import { failedResult } from '../../../subgraphs/shared/errors/graphql-errors.ts'
import type { Logger } from '../../../subgraphs/shared/observability/log.ts'
import type { GatewayContext } from '../../operation/context.ts'
import { withExtendedDeadline } from '../../upstream/extended-deadline.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { dedupeEntities } from '../dedupe-entities.ts'
import type { Fetch, SubgraphSource } from '../transport.ts'
import { coalesceReads } from './coalesce-reads.ts'
import { sentOperation } from './operation-text.ts'
import { isFault, readResponse } from './read-response.ts'
import { variablesText } from './variables-text.ts'

type Request = Fetch['request']

const ACCEPT = 'application/graphql-response+json, application/json'

const sendOperation = async (upstream: Upstream, request: Request, { headers, caller }: GatewayContext) => {
  const { isQuery: isRead, bodyStart } = sentOperation(request.query!, request.operationName)
  const send = (signal: AbortSignal) =>
    upstream.request({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: ACCEPT },
      body: `${bodyStart}${variablesText(request.variables)}}`,
      signal,
      isRead,
      isFault,
    })
  const response = await (isRead ? send(caller.signal) : withExtendedDeadline(caller.signal, send))
  return readResponse(upstream.name, response, request.variables?.['representations'])
}

/** Foreseen failures leave with their code; a subgraph's nonsense is logged and masked. */
const failed = (error: unknown, log: Logger, subgraph: string, { caller }: GatewayContext) => {
  const own = log.child({ correlator: caller.correlator, subgraph })
  if (error instanceof ServiceError) own.warn({ err: error }, error.message)
  else own.error({ err: error }, 'unexpected response from a subgraph')
  return failedResult(error)
}

/** The data source of one subgraph in another process. */
export function createHttpSource(upstream: Upstream, log: Logger): SubgraphSource {
  return {
    process: ({ request, context }) =>
      sendOperation(upstream, request, context).catch(error => failed(error, log, upstream.name, context)),
  }
}

/** The same with all that spares calls: repeated entities sent once, identical reads in flight shared. */
export const createRemoteSource = (upstream: Upstream, upstreams: Upstreams, log: Logger): SubgraphSource =>
  dedupeEntities(coalesceReads(createHttpSource(upstream, log), upstreams.writes))
