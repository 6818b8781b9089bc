/** Plans subscriptions with Apollo's own query planner: which subgraph brings the event, what is fetched per event. */
import { type Operation, operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { PlanNode, QueryPlan, SubscriptionNode } from '@apollo/query-planner'
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { invalid, toGraphQL } from '#core/errors/catalogue.ts'
import { operationFault } from '#core/graph/error-format.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import { redactVariables } from '#core/graph/redact.ts'
import { type PlannedNames, plannedNames } from '../operation/client-variables.ts'
import { type Primary, primaryOf, type Variables } from '../operation/primary-fetch.ts'
import type { GatewayParts } from '../third-party/apollo-internals.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { CompiledOperations, ExecutePlan, Send, SendOf } from './engine.ts'
import { type ShareKey, shareKeyOf } from './share-key.ts'

/** A subscription that is ready to be run, any number of times. */
export interface PlannedSubscription {
  /** The fetch that brings the events, from the subgraph that owns them. */
  readonly primary: Primary
  /** The primary fetch and what follows it, as one plan for one event. */
  readonly perEvent: QueryPlan
  readonly operation: ReturnType<typeof buildOperationContext>
  /** Both for one event, compiled; undefined where only Apollo Gateway executes them. */
  readonly execute?: ExecutePlan
  readonly shareKey: ShareKey
  /** The client's variables under the names that they have in all of these, and errors in the client's words. */
  readonly names: Pick<PlannedNames, 'toPlanned' | 'tellOwn'>
}

/** How the plan of a subscription is executed. */
export interface PlanningParts extends GatewayParts {
  /** Compiled operations; undefined without an engine. */
  readonly operations: CompiledOperations | undefined
  readonly sendOf: SendOf
}

const inSequence = ({ primary, rest }: SubscriptionNode): PlanNode =>
  rest ? { kind: 'Sequence', nodes: [primary, rest] } : primary

/** The planner's words for a root field that is not always there; such a subscription would have no event. */
const NO_EVENT = /Primary node of a subscription|when processing subscription/

const nothingToSubscribe = () =>
  invalid('The subscription must select one field of Subscription, without @skip and @include on it', {
    reason: 'INVALID_OPERATION',
  })

const planNode = ({ planner }: GatewayParts, operation: Operation): SubscriptionNode => {
  try {
    const { node } = planner.buildQueryPlan(operation)
    if (node?.kind === 'Subscription') return node
  } catch (error) {
    if (!NO_EVENT.test(String(error))) throw error
  }
  throw nothingToSubscribe()
}

/** The event stands for what the primary fetch would have brought, its errors with the paths of the client's answer. */
const sendEvent: Send = (fetch, { event }) => withErrorPaths({ process: async () => event! }).process(fetch)

/**
 * Plans a validated subscription.
 * @throws ServiceError INVALID_ARGUMENT when it selects nothing that could be subscribed to.
 */
export function planSubscription(
  parts: PlanningParts,
  document: DocumentNode,
  operationName?: string,
): PlannedSubscription {
  const { schema, api, operations, sendOf } = parts
  const names = plannedNames(document)
  const context = buildOperationContext({ schema, operationDocument: names.document, operationName })
  const operation = operationFromDocument(api, names.document, { operationName, validate: false })
  const node = planNode(parts, operation)
  return {
    primary: primaryOf(node.primary),
    perEvent: { kind: 'QueryPlan', node: inSequence(node) },
    operation: context,
    execute: operations?.compileEvents({
      node: inSequence(node),
      operation,
      operationContext: context,
      sendOf: one => (one === node.primary ? sendEvent : sendOf(one)),
    }),
    shareKey: shareKeyOf(names.document, context.operation),
    names,
  }
}

/** A fault of a variable with the place of the field that takes it. */
const toFault = (
  error: GraphQLError,
  document: DocumentNode,
  hidden: GraphQLSchema | undefined,
): GraphQLError => {
  createErrorPlacer(document)(error)
  const { path, locations } = error
  return Object.assign(toGraphQL(operationFault(error.message, hidden)), { path, locations })
}

/**
 * Checks variables against their definitions, which executing a plan does not do.
 * @param hidden the schema where clients may not read it.
 * @throws GraphQLError INVALID_ARGUMENT naming the variable.
 */
export function checkVariables(
  schema: GraphQLSchema,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
  given: Variables,
  hidden?: GraphQLSchema,
): Variables {
  const { variableDefinitions = [] } = operation
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, redactVariables(given), {
    maxErrors: 1,
  })
  if (errors) throw toFault(errors[0]!, document, hidden)
  return { ...coerced, ...given }
}
