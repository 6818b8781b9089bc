/** Runs any operation for a client that can take more than one result: queries and mutations once, subscriptions on and on. */
import type { FormattedExecutionResult } from 'graphql'
import type { App } from '#core/context/app.ts'
import { invalid, invalidField } from '#core/errors/catalogue.ts'
import { checkOperationText } from '#core/graph/documents.ts'
import type { GraphRequest, RunOperation, Sender } from '#core/streams/operation.ts'
import { type CapturedOperation, createContext } from '../operation/context.ts'
import { resolveDocument, type TrustedDocuments } from '../operation/trusted-documents.ts'
import type { SupergraphManager } from '../supergraph/manager.ts'
import { openActiveSubscription } from './active-subscription.ts'
import { SubscriptionMemory } from './subscription-memory.ts'

export interface RunParts {
  readonly app: App
  readonly manager: SupergraphManager
  readonly documents: TrustedDocuments
}

/** Everything but a subscription is executed here; a subscription is only validated, and left in `captured`. */
const execute = async ({ app, manager }: RunParts, request: GraphRequest, sender: Sender) => {
  const { apollo, enter } = manager.current()
  const captured: CapturedOperation = { readOnly: sender.readOnly ?? false }
  const context = createContext({ ...sender, timeoutMs: app.config.requestTimeoutMs })
  const leave = enter()
  try {
    const { body } = await apollo.executeOperation(request, { contextValue: { ...context, captured } })
    return { body, captured }
  } catch (error) {
    throw captured.fault ? invalid(captured.fault, { reason: 'INVALID_OPERATION' }) : error
  } finally {
    context.done()
    leave()
  }
}

/** An operation is parsed when it is its client's turn, however many it sends at once. */
const admit = async ({ app: { usage } }: RunParts, { principal }: Sender): Promise<void> => {
  usage.checkCost(principal)
  await usage.turn(principal)
}

/** The protocol over WebSocket wants a text, which is empty where an id stands in its place. */
const withoutEmptyText = (request: GraphRequest): GraphRequest =>
  request.query === '' ? { ...request, query: undefined } : request

/** Makes the function that runs operations. */
export const createGatewayRun = (given: RunParts): RunOperation => {
  const parts = { ...given, memory: new SubscriptionMemory() }
  return async (asked, sender) => {
    const request = resolveDocument(parts.documents, withoutEmptyText(asked))
    if (typeof request.query !== 'string' && !request.extensions)
      throw invalidField('query', 'REQUIRED', 'must be a text')
    checkOperationText(request.query)
    await admit(parts, sender)
    const { body, captured } = await execute(parts, request, sender)
    const { document, operation } = captured
    if (document && operation) {
      const variables = request.variables ?? {}
      return { stream: await openActiveSubscription(parts, { document, operation, variables, sender }) }
    }
    if (body.kind !== 'single') throw invalid('Incremental delivery is not possible here')
    return { result: body.singleResult as FormattedExecutionResult }
  }
}
