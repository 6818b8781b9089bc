/** Runs any operation for a client that can take more than one result. */
import type { FormattedExecutionResult } from 'graphql'
import { DONE, streamOf } from '#core/async/stream.ts'
import type { App } from '#core/context/app.ts'
import { invalid, invalidField } from '#core/errors/catalogue.ts'
import { checkOperationText } from '#core/graph/operation-limits.ts'
import type { GraphRequest, ResultStream, RunOperation, Sender } from '#core/streams/result-stream.ts'
import type { FormattedParts } from '../deferral/parts.ts'
import { type CapturedOperation, createContext } from '../operation/context.ts'
import { formatParts } from '../operation/format-parts.ts'
import { resolveDocument, type TrustedDocuments } from '../operation/trusted-documents.ts'
import type { SupergraphManager } from '../supergraph/version.ts'
import { openActiveSubscription } from './active-subscription.ts'
import { SubscriptionMemory } from './subscription-memory.ts'

export interface RunOptions {
  readonly app: App
  readonly manager: SupergraphManager
  readonly documents: TrustedDocuments
}

/** Makes the stream of a first result and the parts that follow it; ending it cancels what is still to be fetched. */
function streamParts(
  first: FormattedExecutionResult,
  parts: FormattedParts,
  onEnd: () => void,
): ResultStream {
  let isFirst = true
  return streamOf<FormattedExecutionResult>(
    async () => {
      if (isFirst) {
        isFirst = false
        return { done: false, value: { ...first, hasNext: true } as FormattedExecutionResult }
      }
      const { done, value } = await parts.next()
      return done ? DONE : { done: false, value: value as FormattedExecutionResult }
    },
    async () => {
      await parts.return(undefined)
      onEnd()
    },
  )
}

/** Executes a query or mutation; a subscription is only validated, and left in `captured`. */
const execute = async ({ app, manager }: RunOptions, request: GraphRequest, sender: Sender) => {
  const { apollo, enter, parts: internals } = manager.current()
  const captured: CapturedOperation = { readOnly: sender.readOnly ?? false }
  const context = createContext({ ...sender, timeoutMs: app.config.requestTimeoutMs })
  const leave = enter()
  const end = () => {
    context.done()
    leave()
  }
  try {
    const { body } = await apollo.executeOperation(request, { contextValue: { ...context, captured } })
    const { parts } = context.delivery ?? {}
    if (!parts) end()
    return { body, captured, later: parts && { parts: formatParts(parts, app, internals.schema), end } }
  } catch (error) {
    end()
    throw captured.fault ? invalid(captured.fault, { reason: 'INVALID_OPERATION' }) : error
  }
}

/** Waits for the client's turn, before the operation is parsed. */
const admit = async ({ app: { usage } }: RunOptions, { principal }: Sender): Promise<void> => {
  usage.checkCost(principal)
  await usage.turn(principal)
}

/**
 * Request without a text that is empty because an id stands in its place: the protocol over WebSocket requires a text.
 */
const withoutEmptyText = (request: GraphRequest): GraphRequest =>
  request.query === '' ? { ...request, query: undefined } : request

/** Makes the function that runs operations. */
export const createGatewayRun = (options: RunOptions): RunOperation => {
  const dependencies = { ...options, memory: new SubscriptionMemory() }
  return async (received, sender) => {
    const request = resolveDocument(options.documents, withoutEmptyText(received))
    if (typeof request.query !== 'string' && !request.extensions)
      throw invalidField('query', 'REQUIRED', 'must be a text')
    checkOperationText(request.query)
    await admit(options, sender)
    const { body, captured, later } = await execute(options, request, sender)
    const { document, operation } = captured
    if (document && operation) {
      const variables = request.variables ?? {}
      const subscribed = { document, operation, variables, sender }
      return { stream: await openActiveSubscription(dependencies, subscribed) }
    }
    if (body.kind !== 'single') throw invalid('Incremental delivery is not possible here')
    const result = body.singleResult as FormattedExecutionResult
    return later ? { parts: streamParts(result, later.parts, later.end) } : { result }
  }
}
