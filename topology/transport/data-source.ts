/** Fetches to a subgraph in another process: one JSON text out, one in. Every failure becomes an error of GraphQL. */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { GATEWAY_SEAL } from '#core/access/gateway-seal.ts'
import type { Ending } from '#core/async/deadline.ts'
import { readsOnly, ServiceError, unavailable } from '#core/errors/catalogue.ts'
import { failedResult } from '#core/errors/faults.ts'
import { SUBJECTS } from '#core/graph/http.ts'
import { currentSink, EXPLAINED, type ExplainedStatement } from '#core/observability/explanation.ts'
import type { Logger } from '#core/observability/log.ts'
import { outgoingTrace, tracing } from '#core/observability/tracing.ts'
import { isObject } from '#core/values/json.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { type Fetch, representationsOf, type SubgraphSource } from '#gateway/transport/transport.ts'
import { dedupeEntities } from '#gateway/transport/wrapped-source.ts'
import type { UpstreamResponse } from '#topology/upstream/connections.ts'
import { withExtendedDeadline } from '#topology/upstream/failures.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import type { Upstreams } from '#topology/upstream/upstreams.ts'
import { coalesceReads, type ReadSource, sentRequest } from './coalesce-reads.ts'

const isError = (value: unknown): value is GraphQLFormattedError =>
  isObject(value) && typeof value['message'] === 'string'

/** Whether a body is a response of GraphQL: it has data, errors or both (GraphQL §7.1). */
const isResult = (value: unknown): value is FormattedExecutionResult => {
  if (!isObject(value)) return false
  const { data, errors } = value
  if (errors !== undefined && !(Array.isArray(errors) && errors.every(isError))) return false
  return isObject(data) || (Array.isArray(errors) && errors.length > 0 && (data ?? null) === null)
}

const parse = (body: UpstreamResponse['body']): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Whether there are as many entities as representations; the executor would fail by itself otherwise. */
const hasEntities = ({ data }: FormattedExecutionResult, representations?: readonly unknown[]): boolean => {
  if (!data || !representations) return true
  const entities = data['_entities']
  return Array.isArray(entities) && entities.length === representations.length
}

/**
 * Failure of an HTTP response without GraphQL in it: refused before the graph was reached, or not from a subgraph at
 * all.
 */
const refusal = (name: string, status: number): Error => {
  if (status === 401)
    return new ServiceError('UNAUTHORIZED', `The subgraph ${name} did not accept the access token`)
  if (status === 503) return unavailable(`The subgraph ${name} cannot serve at the moment`)
  if (status === 504)
    return new ServiceError('REQUEST_TIMEOUT_EXCEEDED', `The subgraph ${name} did not answer in time`)
  return new Error(`The subgraph ${name} answered with status ${status} and no GraphQL`)
}

/** Whether a response shows a subgraph out of order; 503 comes from one that lives and is busy. */
const isFault = ({ status, body }: UpstreamResponse): boolean =>
  status >= 500 && status !== 503 && !isResult(parse(body))

/**
 * Reads a response.
 * @param representations the entities that the fetch is for, if it is for entities.
 * @throws ServiceError for the HTTP status, Error where the response is no GraphQL.
 */
function readResponse(
  name: string,
  { status, body }: UpstreamResponse,
  representations?: readonly unknown[],
): FormattedExecutionResult {
  const result = parse(body)
  if (isResult(result) && hasEntities(result, representations)) return result
  throw refusal(name, status)
}

const ACCEPT = 'application/graphql-response+json, application/json'

/** Fields that wait for an outside system: a webhook's endpoint. */
const LONG_FIELDS: ReadonlySet<string> = new Set(['sendTestEvent'])

export interface SourceOptions {
  /** Whether mutations are refused here, before they reach the subgraph. */
  readonly readOnly?: boolean
  /** Gives the seal of this gateway, by which subgraphs know that it records itself who looked at whom. */
  readonly seal?: () => string
}

/** Makes the function that sends an operation, and reads the response. */
const createSend =
  (upstream: Upstream, { readOnly, seal }: SourceOptions) =>
  async (
    { request, context }: Fetch,
    ending: Ending,
    sent = sentRequest(request),
  ): Promise<FormattedExecutionResult> => {
    const { headers, caller } = context
    const { isQuery: isRead, rootFields, bodyStart } = sent.operation
    if (readOnly && !isRead) throw readsOnly()
    const send = (signal: Ending) =>
      upstream.request({
        method: 'POST',
        headers: {
          ...headers,
          ...(tracing && outgoingTrace(tracing)),
          'content-type': 'application/json',
          accept: ACCEPT,
          ...(seal && { [GATEWAY_SEAL]: seal() }),
        },
        body: `${bodyStart}${sent.variables}}`,
        clientId: caller.principal.clientId,
        isLong: rootFields.some(field => LONG_FIELDS.has(field)),
        signal,
        isRead,
        isFault,
      })
    const response = await (isRead ? send(ending) : withExtendedDeadline(caller.signal, send))
    return readResponse(upstream.name, response, representationsOf(request, sent.operation))
  }

/**
 * Turns a failure into an error of the graph: a foreseen one keeps its code, a response that is no GraphQL is logged
 * and masked.
 */
const failed = (error: unknown, log: Logger, subgraph: string, { caller }: GatewayContext) => {
  const own = log.child({ correlator: caller.correlator, subgraph })
  if (error instanceof ServiceError) own.warn({ err: error }, error.message)
  else own.error({ err: error }, 'unexpected response from a subgraph')
  return failedResult(error)
}

/** Makes the data source of one subgraph in another process. */
export function createHttpSource(upstream: Upstream, log: Logger, options: SourceOptions = {}): ReadSource {
  const send = createSend(upstream, options)
  const read: ReadSource['read'] = (fetch, ending, sent) =>
    send(fetch, ending, sent).catch(error => failed(error, log, upstream.name, fetch.context))
  return { read, process: fetch => read(fetch, fetch.context.caller.signal) }
}

/** Passes statements that a service reports on to the explanation of the fetch. */
const passOnStatements = (reported: unknown): void => {
  const sink = currentSink()
  if (!sink || !Array.isArray(reported)) return
  for (const statement of reported as ExplainedStatement[]) sink.record(statement)
}

/** Records what fetches report to have reached and sent, for each operation that shares a call. */
const recordReported = (source: SubgraphSource): SubgraphSource => ({
  async process(fetch) {
    const result = await source.process(fetch)
    passOnStatements(result.extensions?.[EXPLAINED])
    const subjects = result.extensions?.[SUBJECTS]
    if (!Array.isArray(subjects)) return result
    try {
      for (const subject of subjects) fetch.context.caller.trail.record(String(subject))
      return result
    } catch (error) {
      return failedResult(error)
    }
  },
})

/** Makes the data source that sends repeated entities once and shares identical reads in flight. */
export const createRemoteSource = (
  upstream: Upstream,
  upstreams: Upstreams,
  log: Logger,
  options?: SourceOptions,
): SubgraphSource =>
  recordReported(dedupeEntities(coalesceReads(createHttpSource(upstream, log, options), upstreams.writes)))
