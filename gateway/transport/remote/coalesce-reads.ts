/**
 * Identical reads of a subgraph that are in flight at the same time are one call. Who takes part sees the same by
 * right, has its own deadline and gets its own copy. A read that began before a write through this gateway was
 * answered is not shared with who asks after it, so that clients see what they wrote; nor are the reads that
 * follow a mutation or an event within their operation.
 */
import { type FormattedExecutionResult, OperationTypeNode } from 'graphql'
import type { Principal } from '../../../subgraphs/shared/access/principal.ts'
import { failedResult } from '../../../subgraphs/shared/errors/graphql-errors.ts'
import { entitlement } from '../../operation/visibility.ts'
import { copy } from '../copy.ts'
import type { Fetch, SubgraphSource } from '../transport.ts'
import { CoalescedCall } from './coalesced-call.ts'
import { type SentOperation, sentOperation } from './operation-text.ts'
import { variablesText } from './variables-text.ts'

/** What a leader is refused for reasons of its own: its token, its rights, its time. */
const PERSONAL = new Set<unknown>(['UNAUTHORIZED', 'PERMISSION_DENIED', 'REQUEST_TIMEOUT_EXCEEDED'])

const isPersonal = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => PERSONAL.has(extensions?.['code'])) ?? false

const isOfQuery = ({ incomingRequestContext }: Fetch): boolean =>
  incomingRequestContext?.operation?.operation === OperationTypeNode.QUERY

const audiences = new WeakMap<Principal, string>()

/** What clients have in common who are told the same of an entity. */
const audienceOf = (principal: Principal): string => {
  const known = audiences.get(principal) ?? JSON.stringify(entitlement(principal))
  audiences.set(principal, known)
  return known
}

/** Fields of Query may be about the client itself, as `me` is; an entity is the same for all who may see it. */
const clientOf = ({ request, context }: Fetch): string =>
  request.variables?.['representations'] === undefined ? context.caller.principal.clientId : ''

/** JSON has no line breaks of its own, and what stands after the variables cannot be taken for them. */
const keyOf = (fetch: Fetch, operation: SentOperation, writes: number): string => {
  const { context, request } = fetch
  const audience = audienceOf(context.caller.principal)
  return `${writes}\n${operation.id}\n${audience}\n${variablesText(request.variables)}\n${clientOf(fetch)}`
}

/** The same request under a signal that is aborted when all have left. */
const under = (fetch: Fetch, signal: AbortSignal): Fetch => {
  const { caller, ...context } = fetch.context
  return { ...fetch, context: { ...context, caller: { ...caller, signal } } }
}

/**
 * A source whose identical reads are shared.
 * @param writes how many writes have ended by now.
 */
export function coalesceReads(source: SubgraphSource, writes: () => number): SubgraphSource {
  const inFlight = new Map<string, CoalescedCall<FormattedExecutionResult>>()

  const open = (key: string, fetch: Fetch) => {
    const run = (signal: AbortSignal) => source.process(under(fetch, signal))
    const close = () => void (inFlight.get(key) === call && inFlight.delete(key))
    const call = new CoalescedCall(run, copy, close)
    inFlight.set(key, call)
    return call
  }

  /** The result of another's call, unless it is the other's alone. */
  const unlessPersonal = (fetch: Fetch) => (result: FormattedExecutionResult) =>
    isPersonal(result) ? source.process(fetch) : result

  const processShared = (fetch: Fetch, operation: SentOperation): Promise<FormattedExecutionResult> => {
    const { signal } = fetch.context.caller
    const key = keyOf(fetch, operation, writes())
    const joined = inFlight.get(key)
    const captured = (joined ?? open(key, fetch)).take(signal)
    return (joined ? captured.then(unlessPersonal(fetch)) : captured).catch(failedResult)
  }

  return {
    async process(fetch) {
      if (!isOfQuery(fetch)) return source.process(fetch)
      const { query, operationName } = fetch.request
      const operation = sentOperation(query!, operationName)
      return operation.isQuery ? processShared(fetch, operation) : source.process(fetch)
    },
  }
}
