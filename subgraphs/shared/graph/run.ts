/** Runs any operation on one subgraph for a client that can take more than one result. */

import type { FormattedExecutionResult } from 'graphql'
import type { Caller } from '../access/caller.ts'
import { withDeadline } from '../async/deadline.ts'
import { mapStream } from '../async/stream.ts'
import type { App } from '../context/app.ts'
import { failedResult } from '../errors/graphql-errors.ts'
import type { EventRow } from '../events/event.ts'
import type { ResultStream, RunOperation, Sender } from '../streams/operation.ts'
import { type Admit, type Admitted, NotAdmitted } from './admission.ts'
import type { Executor, PreparedOperation } from './executor.ts'
import type { Subgraph } from './subgraph.ts'

export interface RunParts {
  readonly app: App
  readonly subgraph: Subgraph
  readonly executor: Executor
  readonly admit: Admit
}

/** Makes the function that runs queries and mutations once, subscriptions on and on. */
export function createSubgraphRun({ app, subgraph, executor, admit }: RunParts): RunOperation {
  const { log, config } = app
  /** Each piece of work has a context and a time of its own: loaders remember nothing from one event to the next. */
  const inTime = <T>(
    admitted: Admitted,
    { principal, correlator }: Sender,
    work: (operation: PreparedOperation) => Promise<T>,
  ): Promise<T> =>
    withDeadline(config.requestTimeoutMs, signal => {
      const caller: Caller = { principal, correlator, signal }
      return work({ ...admitted, caller, context: subgraph.context(caller) })
    })

  const execute = (admitted: Admitted, sender: Sender, event?: EventRow) =>
    inTime(admitted, sender, operation =>
      executor.execute(operation, event),
    ) as Promise<FormattedExecutionResult>

  /** One event that cannot be executed does not end the subscription. */
  const executeEvent = (admitted: Admitted, sender: Sender, event: EventRow) =>
    execute(admitted, sender, event).catch((error): FormattedExecutionResult => {
      log.warn({ err: error, correlator: sender.correlator }, 'an event could not be executed')
      return failedResult(error)
    })

  const subscribe = async (admitted: Admitted, sender: Sender): Promise<ResultStream> => {
    const events = await inTime(admitted, sender, operation => executor.subscribe(operation))
    return mapStream(events, event => executeEvent(admitted, sender, event))
  }

  const refuse = (error: unknown, { principal, correlator }: Sender) => {
    if (!(error instanceof NotAdmitted)) throw error
    const caller: Caller = { principal, correlator, signal: AbortSignal.abort() }
    return { result: { errors: executor.format(error.errors, caller) } }
  }

  const run = async (admitted: Admitted, sender: Sender) =>
    admitted.type === 'subscription'
      ? { stream: await subscribe(admitted, sender) }
      : { result: await execute(admitted, sender) }

  return async (request, sender) => {
    try {
      return await run(admit(request, sender.principal), sender)
    } catch (error) {
      return refuse(error, sender)
    }
  }
}
