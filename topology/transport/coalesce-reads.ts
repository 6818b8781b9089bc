/**
 * Identical reads of a subgraph that are in flight at the same time are one call. All who take part may be told the
 * same: of entities those who see the same, of root fields one client alone. Each has its own deadline and its own copy. A read that began before a write through this gateway was
 * answered is not shared with who asks after it, so that clients see what they wrote; nor are the reads that
 * follow a mutation or an event within their operation.
 */
import { type FormattedExecutionResult, OperationTypeNode } from 'graphql'
import { audienceOf, clientAlone } from '#core/access/audience.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import { failedResult } from '#core/errors/graphql-errors.ts'
import { copy } from '#gateway/transport/copy.ts'
import { representationsOf, type SentOperation, sentOperation } from '#gateway/transport/operation-text.ts'
import type { Fetch, SubgraphSource } from '#gateway/transport/transport.ts'
import { CoalescedCall } from './coalesced-call.ts'
import { variablesText } from './variables-text.ts'

/** Codes by which a leader is refused for reasons of its own: its token, its rights, its time. */
const PERSONAL = new Set<unknown>(['UNAUTHORIZED', 'PERMISSION_DENIED', 'REQUEST_TIMEOUT_EXCEEDED'])

const isPersonal = ({ errors }: FormattedExecutionResult): boolean =>
  errors?.some(({ extensions }) => PERSONAL.has(extensions?.['code'])) ?? false

const isOfQuery = ({ incomingRequestContext }: Fetch): boolean =>
  incomingRequestContext?.operation?.operation === OperationTypeNode.QUERY

/** An entity is the same for all who may see it; a root field may be about the client itself, as `me` is. */
const keyOf = ({ context, request }: Fetch, operation: SentOperation, writes: number): SharedKey => {
  const { principal } = context.caller
  const audience = representationsOf(request) ? audienceOf(principal) : clientAlone(principal)
  return sharedKey(audience, `${writes} ${operation.id} ${variablesText(request.variables)}`)
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
  const inFlight = new Map<SharedKey, CoalescedCall<FormattedExecutionResult>>()

  const open = (key: SharedKey, fetch: Fetch) => {
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
