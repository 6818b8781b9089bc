/** Runs any operation for a client that can take more than one result: queries and mutations once, subscriptions on and on. */
import type { FormattedExecutionResult } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { invalid } from '../../subgraphs/shared/errors.ts'
import { checkOperationText } from '../../subgraphs/shared/graph/operation-text.ts'
import type { GraphRequest, RunOperation, Sender } from '../../subgraphs/shared/streams/operation.ts'
import { createContext } from '../context.ts'
import type { Serving } from '../serving.ts'
import { openLive } from './live.ts'
import type { TakenSubscription } from './taken.ts'

export interface RunParts {
  readonly app: App
  readonly serving: Serving
}

/** Everything but a subscription is executed here; a subscription is only looked at, and left in `taken`. */
const execute = async ({ app, serving }: RunParts, request: GraphRequest, sender: Sender) => {
  const { apollo, enter } = serving.current()
  const taken: TakenSubscription = { readOnly: sender.readOnly ?? false }
  const context = createContext({ ...sender, timeoutMs: app.config.requestTimeoutMs })
  const leave = enter()
  try {
    const { body } = await apollo.executeOperation(request, { contextValue: { ...context, taken } })
    return { body, taken }
  } catch (error) {
    throw taken.fault ? invalid(taken.fault) : error
  } finally {
    context.done()
    leave()
  }
}

/** Makes the function that runs operations. */
export const createRun =
  (parts: RunParts): RunOperation =>
  async (request, sender) => {
    if (typeof request.query !== 'string' && !request.extensions) throw invalid('query must be a text')
    checkOperationText(request.query)
    const { body, taken } = await execute(parts, request, sender)
    const { document, operation } = taken
    if (document && operation) {
      const variables = request.variables ?? {}
      return { stream: await openLive(parts, { document, operation, variables, sender }) }
    }
    if (body.kind !== 'single') throw invalid('Incremental delivery is not possible here')
    return { result: body.singleResult as FormattedExecutionResult }
  }
