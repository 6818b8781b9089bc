/** Plans subscriptions with Apollo's own query planner: which subgraph brings the event, what is fetched per event. */

import { operationFromDocument, type Schema, Supergraph } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import { type PlanNode, type QueryPlan, QueryPlanner, type SubscriptionNode } from '@apollo/query-planner'
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { invalid, toGraphQL } from '../../subgraphs/shared/errors/catalogue.ts'
import { createErrorPlacer } from '../../subgraphs/shared/graph/error-places.ts'
import { operationFault } from '../../subgraphs/shared/graph/operation-fault.ts'
import type { Locale } from '../../subgraphs/shared/graph/scalars.ts'
import { type Primary, primaryOf, type Variables } from '../operation/primary-fetch.ts'
import { teachScalars } from './scalars.ts'
import { type ShareKey, shareKeyOf } from './share-key.ts'

/** The supergraph in the forms that planning and executing need. */
export interface Supergraphs {
  readonly planner: QueryPlanner
  readonly api: Schema
  readonly schema: GraphQLSchema
  readonly supergraphSchema: GraphQLSchema
  readonly subgraphs: readonly string[]
}

/** A subscription that is ready to be run, any number of times. */
export interface PlannedSubscription {
  /** The fetch that brings the events, from the subgraph that owns them. */
  readonly primary: Primary
  /** The primary fetch and what follows it, as one plan for one event. */
  readonly perEvent: QueryPlan
  readonly operation: ReturnType<typeof buildOperationContext>
  readonly shareKey: ShareKey
}

/** Builds a planner, which takes tens of megabytes: only once someone subscribes. */
export const buildSupergraphs = (sdl: string, locale: Locale): Supergraphs => {
  const supergraph = Supergraph.build(sdl, { validateSupergraph: false })
  const api = supergraph.apiSchema()
  return {
    planner: new QueryPlanner(supergraph),
    api,
    schema: teachScalars(api.toGraphQLJSSchema(), locale),
    supergraphSchema: supergraph.schema.toGraphQLJSSchema(),
    subgraphs: supergraph.subgraphsMetadata().map(({ name }) => name),
  }
}

const inSequence = ({ primary, rest }: SubscriptionNode): PlanNode =>
  rest ? { kind: 'Sequence', nodes: [primary, rest] } : primary

/** The planner's words for a root field that is not always there; such a subscription would have no event. */
const NO_EVENT = /Primary node of a subscription|when processing subscription/

const nothingToSubscribe = () =>
  invalid('The subscription must select one field of Subscription, without @skip and @include on it', {
    reason: 'INVALID_OPERATION',
  })

const planNode = ({ planner, api }: Supergraphs, document: DocumentNode, operationName?: string) => {
  const operation = operationFromDocument(api, document, { operationName, validate: false })
  try {
    const { node } = planner.buildQueryPlan(operation)
    if (node?.kind === 'Subscription') return node
  } catch (error) {
    if (!NO_EVENT.test(String(error))) throw error
  }
  throw nothingToSubscribe()
}

/**
 * Plans a validated subscription.
 * @throws ServiceError INVALID_ARGUMENT when it selects nothing that could be subscribed to.
 */
export function planSubscription(
  supergraphs: Supergraphs,
  document: DocumentNode,
  operationName?: string,
): PlannedSubscription {
  const operation = buildOperationContext({
    schema: supergraphs.schema,
    operationDocument: document,
    operationName,
  })
  const node = planNode(supergraphs, document, operationName)
  return {
    primary: primaryOf(node.primary),
    perEvent: { kind: 'QueryPlan', node: inSequence(node) },
    operation,
    shareKey: shareKeyOf(document, operation.operation),
  }
}

/** A fault of a variable with the place of the field that takes it. */
const toFault = (error: GraphQLError, document: DocumentNode): GraphQLError => {
  createErrorPlacer(document)(error)
  const { path, locations } = error
  return Object.assign(toGraphQL(operationFault(error.message)), { path, locations })
}

/**
 * Checks variables against their definitions, which executing a plan does not do.
 * @throws GraphQLError INVALID_ARGUMENT naming the variable.
 */
export function checkVariables(
  schema: GraphQLSchema,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
  given: Variables,
): Variables {
  const { variableDefinitions = [] } = operation
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, { ...given }, { maxErrors: 1 })
  if (errors) throw toFault(errors[0]!, document)
  return { ...coerced, ...given }
}
