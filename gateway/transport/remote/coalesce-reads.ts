/**
 * Identical reads of a subgraph that are in flight at the same time are one call. Who takes part sees the same by
 * right, has its own deadline and gets its own copy. A read that began before a write through this gateway was
 * answered is not shared with who asks after it, so that clients see what they wrote; nor are the reads that
 * follow a mutation or an event within their operation.
 */
import type { GraphQLDataSource } from '@apollo/gateway'
import { type FormattedExecutionResult, OperationTypeNode } from 'graphql'
import { failedResult } from '../../../subgraphs/shared/errors/graphql-errors.ts'
import type { GatewayContext } from '../../operation/context.ts'
import { entitlement } from '../../operation/visibility.ts'
import { copy } from '../copy.ts'
import { toSourceResponse } from '../third-party.ts'
import { CoalescedCall } from './coalesced-call.ts'
import { isQuery } from './is-query.ts'
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
const audienceOf = ({ request, context }: Options): string => {
  const { principal } = (context as GatewayContext).caller
  const isEntities = request.variables?.['representations'] !== undefined
  return JSON.stringify([...entitlement(principal), isEntities ? undefined : principal.clientId])
}

/** JSON has no line breaks of its own, and what stands after the variables cannot be taken for them. */
const keyOf = (options: Options, writes: number): string => {
  const { query, variables } = options.request
  return `${writes}\n${audienceOf(options)}\n${variablesText(variables)}\n${query}`
}

/** The same request under a signal that is aborted when all have left. */
const under = (options: Options, signal: AbortSignal): Options => {
  const { caller, ...context } = options.context as GatewayContext
  return { ...options, context: { ...context, caller: { ...caller, signal } } }
}

/**
 * A source whose identical reads are shared.
 * @param writes how many writes have ended by now.
 */
export function coalesceReads(source: Source, writes: () => number): Source {
  const inFlight = new Map<string, CoalescedCall<FormattedExecutionResult>>()

  const open = (key: string, options: Options) => {
    const run = (signal: AbortSignal) =>
      source.process(under(options, signal)) as Promise<FormattedExecutionResult>
    const close = () => void (inFlight.get(key) === call && inFlight.delete(key))
    const call = new CoalescedCall(run, copy, close)
    inFlight.set(key, call)
    return call
  }

  /** The result of another's call, unless it is the other's alone. */
  const unlessPersonal = (options: Options) => (result: FormattedExecutionResult) =>
    isPersonal(result) ? (source.process(options) as Promise<FormattedExecutionResult>) : result

  const processShared = (options: Options): Promise<FormattedExecutionResult> => {
    const { signal } = (options.context as GatewayContext).caller
    const key = keyOf(options, writes())
    const joined = inFlight.get(key)
    const captured = (joined ?? open(key, options)).take(signal)
    return (joined ? captured.then(unlessPersonal(options)) : captured).catch(failedResult)
  }

  return {
    process: async options =>
      isShareable(options) ? toSourceResponse(await processShared(options)) : source.process(options),
  }
}
