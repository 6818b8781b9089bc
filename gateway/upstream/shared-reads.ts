/**
 * Identical reads of a subgraph that are in flight at the same time are one call. Who takes part sees the same by
 * right, has its own deadline and gets its own copy. A read that began before a write through this gateway was
 * answered is not shared with who asks after it, so that clients see what they wrote; nor are the reads that
 * follow a mutation or an event within their operation.
 */
import type { GraphQLDataSource } from '@apollo/gateway'
import type { FormattedExecutionResult } from 'graphql'
import { OperationTypeNode } from 'graphql'
import { asServiceError, toGraphQL } from '../../subgraphs/shared/errors.ts'
import type { GatewayContext } from '../context.ts'
import { entitlement } from '../entitlement.ts'
import { copy } from './copy.ts'
import { isQuery } from './is-query.ts'
import { SharedCall } from './shared-call.ts'
import { variablesText } from './variables-text.ts'

type Source = GraphQLDataSource<GatewayContext>
type Options = Parameters<Source['process']>[0]

/** What a leader is refused for reasons of its own: its token, its rights, its time. */
const PERSONAL = new Set<unknown>(['UNAUTHORIZED', 'PERMISSION_DENIED', 'REQUEST_TIMEOUT_EXCEEDED'])

const isPersonal = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => PERSONAL.has(extensions?.['code'])) ?? false

const isShareable = (options: Options): boolean =>
  'incomingRequestContext' in options &&
  options.incomingRequestContext.operation?.operation === OperationTypeNode.QUERY &&
  isQuery(options.request.query!)

/** Fields of Query may be about the client itself, as `me` is; an entity is the same for all who may see it. */
const askerOf = ({ request, context }: Options) => {
  const { principal } = (context as GatewayContext).caller
  const isEntities = request.variables?.['representations'] !== undefined
  return [...entitlement(principal), isEntities ? undefined : principal.clientId]
}

const keyOf = (options: Options, writes: number): string => {
  const { query, operationName, variables } = options.request
  return JSON.stringify([writes, query, operationName, askerOf(options), variablesText(variables)])
}

/** The same request under a signal that is aborted when all have left. */
const under = (options: Options, signal: AbortSignal): Options => {
  const { caller, ...context } = options.context as GatewayContext
  return { ...options, context: { ...context, caller: { ...caller, signal } } }
}

const expired = (reason: unknown) => ({ errors: [toGraphQL(asServiceError(reason)).toJSON()] })

/**
 * A source whose identical reads are shared.
 * @param writes how many writes have ended by now.
 */
export function withSharedReads(source: Source, writes: () => number): Source {
  const inFlight = new Map<string, SharedCall<FormattedExecutionResult>>()

  const open = (key: string, options: Options) => {
    const run = (signal: AbortSignal) =>
      source.process(under(options, signal)) as Promise<FormattedExecutionResult>
    const close = () => void (inFlight.get(key) === call && inFlight.delete(key))
    const call = new SharedCall(run, copy, close)
    inFlight.set(key, call)
    return call
  }

  const processShared = async (options: Options): Promise<FormattedExecutionResult> => {
    const { signal } = (options.context as GatewayContext).caller
    const key = keyOf(options, writes())
    const joined = inFlight.get(key)
    const call = joined ?? open(key, options)
    const result = await call.take(signal).catch(expired)
    const isOwn = !joined || signal.aborted
    return isOwn || !isPersonal(result)
      ? result
      : ((await source.process(options)) as FormattedExecutionResult)
  }

  return {
    process: options => (isShareable(options) ? (processShared(options) as never) : source.process(options)),
  }
}
