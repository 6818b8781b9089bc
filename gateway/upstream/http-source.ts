/** Subgraph calls to another process: one JSON text out, one in, and never a failure that is not an error of GraphQL. */
import type { GraphQLDataSource } from '@apollo/gateway'
import { asServiceError, ServiceError, toGraphQL } from '../../subgraphs/shared/errors.ts'
import type { Logger } from '../../subgraphs/shared/log.ts'
import type { GatewayContext } from '../context.ts'
import { withDistinctEntities } from './distinct.ts'
import { withGrace } from './grace.ts'
import { isQuery } from './is-query.ts'
import { isFault, readAnswer } from './read-answer.ts'
import { withSharedReads } from './shared-reads.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'
import { variablesText } from './variables-text.ts'

type Source = GraphQLDataSource<GatewayContext>
type Request = Parameters<Source['process']>[0]['request']

const ACCEPT = 'application/graphql-response+json, application/json'

const bodyOf = ({ query, operationName, variables }: Request): string => {
  const name = operationName ? `,"operationName":${JSON.stringify(operationName)}` : ''
  return `{"query":${JSON.stringify(query)}${name},"variables":${variablesText(variables)}}`
}

const ask = async (upstream: Upstream, request: Request, { headers, caller }: GatewayContext) => {
  const isRead = isQuery(request.query!)
  const send = (signal: AbortSignal) =>
    upstream.ask({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: ACCEPT },
      body: bodyOf(request),
      signal,
      isRead,
      isFault,
    })
  const answer = await (isRead ? send(caller.signal) : withGrace(caller.signal, send))
  return readAnswer(upstream.name, answer, request.variables?.['representations'])
}

/** Foreseen failures leave with their code; a subgraph's nonsense is logged and masked. */
const failed = (error: unknown, log: Logger, subgraph: string, { caller }: GatewayContext) => {
  const own = log.child({ correlator: caller.correlator, subgraph })
  if (error instanceof ServiceError) own.warn({ err: error }, error.message)
  else own.error({ err: error }, 'unexpected answer of a subgraph')
  return { errors: [toGraphQL(asServiceError(error)).toJSON()] }
}

/** The data source of one subgraph in another process. */
export function createHttpSource(upstream: Upstream, log: Logger): Source {
  return {
    process({ request, context }) {
      const from = context as GatewayContext
      return ask(upstream, request, from).catch(error => failed(error, log, upstream.name, from)) as never
    },
  }
}

/** The same with all that spares calls: repeated entities sent once, identical reads in flight shared. */
export const createRemoteSource = (upstream: Upstream, upstreams: Upstreams, log: Logger): Source =>
  withDistinctEntities(withSharedReads(createHttpSource(upstream, log), upstreams.writes))
