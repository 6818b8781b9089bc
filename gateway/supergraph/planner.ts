/** Plans subscriptions with Apollo's own query planner: the fetch that brings the events, and the rest of the plan for each. */
import { type Operation, operationFromDocument } from '@apollo/federation-internals'
import { buildOperationContext } from '@apollo/gateway'
import type { PlanNode, QueryPlan, SubscriptionNode } from '@apollo/query-planner'
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import type { Principal } from '#core/access/principal.ts'
import { audienceOf } from '#core/access/visibility.ts'
import { type SharedKey, sharedKey } from '#core/async/single-flight.ts'
import { invalid, toGraphQL } from '#core/errors/catalogue.ts'
import { operationFault } from '#core/graph/error-format.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import { redactVariables } from '#core/graph/redact.ts'
import { withoutDefer } from '../deferral/directive.ts'
import {
  type PlannedNames,
  type Primary,
  plannedNames,
  primaryOf,
  type Variables,
} from '../operation/rewrites.ts'
import type { GatewayInternals } from '../third-party/apollo-internals.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { CompiledOperations, ExecutePlan, Send, SendOf } from './engine.ts'

/** Subscription that is ready to be run, any number of times. */
export interface PlannedSubscription {
  /** Fetch that brings the events, from the subgraph that owns them. */
  readonly primary: Primary
  /** Primary fetch and the rest, as one plan for one event. */
  readonly perEvent: QueryPlan
  readonly operation: ReturnType<typeof buildOperationContext>
  /** Compiled plan for one event; undefined where only Apollo Gateway executes it. */
  readonly execute?: ExecutePlan
  readonly shareKey: ShareKey
  /** Whether it shows events of customers, which a filter may narrow. */
  readonly showsEvents: boolean
  /** Translation between the client's names of variables and those of the plan. */
  readonly names: Pick<PlannedNames, 'toPlanned' | 'restoreNames'>
}

/** Planner, and the ways to execute a plan. */
export interface PlanningOptions extends GatewayInternals {
  /** Compiled operations; undefined without an engine. */
  readonly operations: CompiledOperations | undefined
  readonly sendOf: SendOf
}

const inSequence = ({ primary, rest }: SubscriptionNode): PlanNode =>
  rest ? { kind: 'Sequence', nodes: [primary, rest] } : primary

/** Messages of the planner for a conditional root field: such a subscription might have no event. */
const NO_EVENT = /Primary node of a subscription|when processing subscription/

const nothingToSubscribe = () =>
  invalid('The subscription must select one field of Subscription, without @skip and @include on it', {
    reason: 'INVALID_OPERATION',
  })

const planNode = ({ planner }: GatewayInternals, operation: Operation): SubscriptionNode => {
  try {
    const { node } = planner.buildQueryPlan(operation)
    if (node?.kind === 'Subscription') return node
  } catch (error) {
    if (!NO_EVENT.test(String(error))) throw error
  }
  throw nothingToSubscribe()
}

const hasFilter = (schema: GraphQLSchema, { selectionSet }: OperationDefinitionNode): boolean => {
  const fields = schema.getSubscriptionType()?.getFields() ?? {}
  return selectionSet.selections.some(
    node => node.kind !== Kind.FIELD || fields[node.name.value]?.args.some(({ name }) => name === 'filter'),
  )
}

/** Gives the event in place of the primary fetch, its errors with the paths of the client's response. */
const sendEvent: Send = (fetch, { event }) => withErrorPaths({ process: async () => event! }).process(fetch)

/**
 * Plans a validated subscription.
 * @throws ServiceError INVALID_ARGUMENT when it selects no field to subscribe to.
 */
export function planSubscription(
  options: PlanningOptions,
  document: DocumentNode,
  operationName?: string,
): PlannedSubscription {
  const { schema, api, operations, sendOf } = options
  const names = plannedNames(withoutDefer(document))
  const context = buildOperationContext({ schema, operationDocument: names.document, operationName })
  const operation = operationFromDocument(api, names.document, { operationName, validate: false })
  const node = planNode(options, operation)
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
    showsEvents: hasFilter(schema, context.operation),
    names,
  }
}

/** Formats the fault of a variable, with the place of the field that takes it. */
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

/** Makes the key of a subscription with these variables for this client: equal keys share their executions. */
export type ShareKey = (variables: Variables, principal: Principal) => SharedKey

const ownAfter = (field: FieldNode) => field.arguments?.find(({ name }) => name.value === 'after')

const rootFields = ({ selectionSet }: OperationDefinitionNode) =>
  selectionSet.selections.filter(selection => selection.kind === Kind.FIELD)

const withoutAfter = (operation: OperationDefinitionNode): OperationDefinitionNode => {
  const selections = operation.selectionSet.selections.map(selection =>
    selection.kind === Kind.FIELD
      ? { ...selection, arguments: selection.arguments?.filter(({ name }) => name.value !== 'after') }
      : selection,
  )
  return { ...operation, selectionSet: { ...operation.selectionSet, selections } }
}

const usedIn = (nodes: readonly ASTNode[]): Set<string> => {
  const used = new Set<string>()
  for (const node of nodes) visit(node, { Variable: ({ name }) => void used.add(name.value) })
  return used
}

/** Variables that serve only as the start of the stream. */
const startVariables = (operation: OperationDefinitionNode, rest: readonly ASTNode[]): Set<string> => {
  const after = rootFields(operation).flatMap(field => ownAfter(field)?.value ?? [])
  const names = after.flatMap(value => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
  const used = usedIn(rest)
  return new Set(names.filter(name => !used.has(name)))
}

/** Prepares the key of an operation, in which the start of the stream is left out. */
function shareKeyOf(document: DocumentNode, operation: OperationDefinitionNode): ShareKey {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  const { selectionSet } = withoutAfter(operation)
  const start = startVariables(operation, [selectionSet, ...fragments])
  const text = [selectionSet, ...fragments].map(print).join('\n')
  return (variables, principal) => {
    const shared = Object.entries(variables)
      .filter(([name]) => !start.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return sharedKey(audienceOf(principal), JSON.stringify([text, shared]))
  }
}
