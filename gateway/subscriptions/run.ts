/** Runs any operation for a client that can take more than one result: queries and mutations once, subscriptions on and on. */
import type { GraphQLDataSource } from '@apollo/gateway'
import type { ApolloServer } from '@apollo/server'
import type { DocumentNode, FormattedExecutionResult, OperationDefinitionNode } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { asServiceError, invalid, toGraphQL } from '../../subgraphs/shared/errors.ts'
import { mapStream } from '../../subgraphs/shared/streams/map-stream.ts'
import type {
  GraphRequest,
  ResultStream,
  RunOperation,
  Sender,
} from '../../subgraphs/shared/streams/operation.ts'
import { createContext, type GatewayContext } from '../context.ts'
import { executeEvent } from './execute-event.ts'
import {
  checkVariables,
  lazySupergraphs,
  type PlannedSubscription,
  planSubscription,
  type Supergraphs,
} from './planner.ts'
import { Sharing } from './share.ts'
import type { EventSource, SourceEvent } from './source.ts'
import type { TakenSubscription } from './taken.ts'

export interface RunParts {
  readonly app: App
  readonly apollo: ApolloServer<GatewayContext>
  readonly supergraphSdl: string
  source(name: string): GraphQLDataSource<GatewayContext>
  eventSource(name: string): EventSource
}

interface Subscribing {
  readonly supergraphs: Supergraphs
  readonly planned: PlannedSubscription
  readonly variables: Record<string, unknown>
  readonly sender: Sender
}

/** Makes the function that runs operations. */
export function createRun(parts: RunParts): RunOperation {
  const { app, apollo } = parts
  const supergraphsOf = lazySupergraphs(parts.supergraphSdl)
  const sharing = new Sharing<FormattedExecutionResult>()
  const plans = new WeakMap<DocumentNode, Map<string | undefined, PlannedSubscription>>()
  const contextFor = (sender: Sender) => createContext({ ...sender, timeoutMs: app.config.requestTimeoutMs })

  const plan = (supergraphs: Supergraphs, document: DocumentNode, name?: string) => {
    const known = plans.get(document) ?? new Map<string | undefined, PlannedSubscription>()
    const planned = known.get(name) ?? planSubscription(supergraphs, document, name)
    plans.set(document, known.set(name, planned))
    return planned
  }

  const servicesOf = ({ subgraphs }: Supergraphs) =>
    Object.fromEntries(subgraphs.map(name => [name, parts.source(name) as GraphQLDataSource]))

  const open = async ({ planned, variables, sender }: Subscribing) => {
    const context = contextFor(sender)
    try {
      return await parts
        .eventSource(planned.primary.serviceName)
        .subscribe(planned.primary, variables, context)
    } finally {
      context.done()
    }
  }

  /** Each event has a context of its own: loaders remember nothing from one event to the next. */
  const executor = (subscribing: Subscribing) => {
    const { supergraphs, planned, variables, sender } = subscribing
    const execution = { supergraphs, planned, variables, services: servicesOf(supergraphs), log: app.log }
    return async (event: SourceEvent) => {
      const context = contextFor(sender)
      try {
        return await executeEvent(execution, await event.read(context), context)
      } catch (error) {
        app.log.error({ err: error }, 'an event could not be executed')
        return { errors: [toGraphQL(asServiceError(error)).toJSON()] }
      } finally {
        context.done()
      }
    }
  }

  const subscribe = async (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    request: GraphRequest,
    sender: Sender,
  ): Promise<ResultStream> => {
    const supergraphs = supergraphsOf()
    const planned = plan(supergraphs, document, operation.name?.value)
    const variables = checkVariables(supergraphs.schema, operation, request.variables ?? {})
    const subscribing = { supergraphs, planned, variables, sender }
    const events = await open(subscribing)
    const execute = executor(subscribing)
    const seat = sharing.join(planned.shareKey(variables, sender.principal))
    return mapStream(
      events,
      event => seat.execute(event.id, () => execute(event)),
      () => seat.leave(),
    )
  }

  return async (request, sender) => {
    if (typeof request.query !== 'string' && !request.extensions) throw invalid('query must be a text')
    const taken: TakenSubscription = { readOnly: sender.readOnly ?? false }
    const contextValue = { ...contextFor(sender), taken }
    const { body } = await apollo.executeOperation(request, { contextValue })
    if (taken.document && taken.operation)
      return { stream: await subscribe(taken.document, taken.operation, request, sender) }
    if (body.kind !== 'single') throw invalid('Incremental delivery is not possible here')
    return { result: body.singleResult as FormattedExecutionResult }
  }
}
