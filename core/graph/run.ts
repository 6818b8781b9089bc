/** Runs any operation on one subgraph for a client that takes more than one result. */

import type { FormattedExecutionResult } from 'graphql'
import type { Caller } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import { mapStream } from '../async/stream.ts'
import { type AccessTrail, NO_TRAIL } from '../audit/access-recorder.ts'
import type { App } from '../context/app.ts'
import { failedResult } from '../errors/faults.ts'
import { EVENT_ORIGIN, type EventOrigin, type EventRow } from '../events/event.ts'
import { type Tracing, tracing } from '../observability/tracing.ts'
import type { OperationResponse, ResultStream, RunOperation, Sender } from '../streams/result-stream.ts'
import { type Admit, type Admitted, NotAdmitted } from './admission.ts'
import type { Executor, PreparedOperation } from './executor.ts'
import type { Subgraph } from './subgraph.ts'

export interface SubgraphRunOptions {
  readonly app: App
  readonly subgraph: Subgraph
  readonly executor: Executor
  readonly admit: Admit
}

/** Admitted operation of a sender. */
class Run {
  readonly #parts: SubgraphRunOptions
  readonly #admitted: Admitted
  readonly #sender: Sender

  constructor(parts: SubgraphRunOptions, admitted: Admitted, sender: Sender) {
    this.#parts = parts
    this.#admitted = admitted
    this.#sender = sender
  }

  async respond(): Promise<OperationResponse> {
    return this.#admitted.type === 'subscription'
      ? { stream: await this.#subscribe() }
      : { result: await this.#execute() }
  }

  async #subscribe(): Promise<ResultStream> {
    const { executor } = this.#parts
    const events = await this.#inTime(operation => executor.subscribe(operation), this.#sender.trail)
    return mapStream(events, event =>
      tracing ? this.#executeTraced(tracing, event) : this.#executeEvent(event),
    )
  }

  /** Executes once, or for one event of a subscription, which was recorded when it began. */
  #execute(event?: EventRow): Promise<FormattedExecutionResult> {
    const { executor } = this.#parts
    const trail = event ? NO_TRAIL : this.#sender.trail
    return this.#inTime(
      operation => executor.execute(operation, event),
      trail,
    ) as Promise<FormattedExecutionResult>
  }

  /** Executes one event for the gateway in another process, which gets its origin along. */
  async #executeTraced(traces: Tracing, event: EventRow): Promise<FormattedExecutionResult> {
    const { eventid, transactionId, trace } = event
    const span = traces.start('process event', {
      kind: 'consumer',
      parent: trace ?? undefined,
      links: trace ? [trace] : [],
      attributes: {
        'messaging.system': 'partner_graph',
        'messaging.destination.name': 'events.event',
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.message.id': eventid,
        'partner_graph.transaction.id': transactionId,
      },
    })
    const result = await traces.run(span, () => this.#executeEvent(event))
    const origin: EventOrigin = { eventid, transactionId, trace }
    return { ...result, extensions: { [EVENT_ORIGIN]: origin } }
  }

  /** Executes one event; its failure does not end the subscription. */
  #executeEvent(event: EventRow): Promise<FormattedExecutionResult> {
    return this.#execute(event).catch((error): FormattedExecutionResult => {
      const { correlator } = this.#sender
      this.#parts.app.log.warn({ err: error, correlator }, 'an event could not be executed')
      return failedResult(error)
    })
  }

  /** Gives a piece of work a context and a deadline of its own: loaders keep nothing from one event to the next. */
  #inTime<T>(work: (operation: PreparedOperation) => Promise<T>, trail: AccessTrail): Promise<T> {
    const { app, subgraph } = this.#parts
    const { principal, correlator, user } = this.#sender
    return withDeadline(app.config.requestTimeoutMs, signal => {
      const caller: Caller = { principal, correlator, user, trail, signal }
      return work({ ...this.#admitted, caller, context: subgraph.context(caller) })
    })
  }
}

const refuse = (error: unknown, { executor }: SubgraphRunOptions, { principal, correlator }: Sender) => {
  if (!(error instanceof NotAdmitted)) throw error
  const caller: Caller = { principal, correlator, trail: NO_TRAIL, signal: AbortSignal.abort() }
  return { result: { errors: executor.format(error.errors, caller) } }
}

/** Makes the function that runs queries and mutations once, subscriptions on and on. */
export function createSubgraphRun(parts: SubgraphRunOptions): RunOperation {
  return async (request, sender) => {
    try {
      return await new Run(parts, await parts.admit(request, sender.principal), sender).respond()
    } catch (error) {
      return refuse(error, parts, sender)
    }
  }
}
