/**
 * Errors of fetches with the paths that they have in the client's response. The error of a fetch that fails as a whole (a
 * subgraph that is down, or late) names no field: here each field of the fetch gets an error of its own.
 */
import {
  type FieldNode,
  type FormattedExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLFormattedError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { type Fetch, representationsOf, type SubgraphSource } from './transport.ts'

type Result = FormattedExecutionResult

type Variables = Readonly<Record<string, unknown>>
type FieldPath = (string | number)[]
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

interface Selected {
  readonly fragments: Fragments
  readonly variables: Variables
}

const isLeftOut = (node: SelectionNode, { variables }: Selected): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false

/** Finds the fields of a selection for an object of `typename`; for any type where that is not known. */
const fieldsOf = ({ selections }: SelectionSetNode, fetch: Selected, typename?: string): FieldNode[] =>
  selections.flatMap(node => {
    if (isLeftOut(node, fetch)) return []
    if (node.kind === Kind.FIELD) return node.name.value === '__typename' ? [] : [node]
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fetch.fragments.get(node.name.value)! : node
    const condition = fragment.typeCondition?.name.value
    if (typename !== undefined && condition !== undefined && condition !== typename) return []
    return fieldsOf(fragment.selectionSet, fetch, typename)
  })

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

const ofEntities = (entities: FieldNode, fetch: Selected, most: number): FieldPath[] => {
  const representations = fetch.variables['representations'] as readonly { __typename: string }[]
  const places = (index: number, typename: string) =>
    fieldsOf(entities.selectionSet!, fetch, typename).map(field => ['_entities', index, keyOf(field)])
  return representations.slice(0, most).flatMap(({ __typename }, index) => places(index, __typename))
}

/** Adds the defaults of variables that were not given, on which conditions may depend. */
const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables => {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  return defaults.length === 0 ? given : { ...Object.fromEntries(defaults), ...given }
}

/** Fields of a fetch, by the paths that the subgraph's own errors would have. */
interface FetchedFields {
  readonly paths: FieldPath[]
  /** Whether it selects none under the given variables, for an entity of any type: then nothing is missing without it. */
  readonly isEmpty: boolean
}

/**
 * Finds the fields that a fetch selects.
 * @param query the fetch as the planner wrote it: one operation, and its fragments.
 * @param most the most paths to return.
 */
const fieldsOfFetch = (query: string, given: Variables, most: number): FetchedFields => {
  const { definitions } = parse(query, { noLocation: true })
  const operation = definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  const variables = withDefaults(operation, given)
  const fetch = { variables, fragments: new Map(fragments.map(one => [one.name.value, one])) }
  const fields = fieldsOf(operation.selectionSet, fetch)
  const isOfEntities = (field: FieldNode) =>
    field.name.value === '_entities' && Array.isArray(variables['representations'])
  const paths = fields.flatMap(field =>
    isOfEntities(field) ? ofEntities(field, fetch, most) : [[keyOf(field)]],
  )
  const isEmpty = fields.every(
    field => isOfEntities(field) && fieldsOf(field.selectionSet!, fetch).length === 0,
  )
  return { paths: paths.slice(0, most), isEmpty }
}

type Entity = Readonly<Record<string, unknown>>

/** The path of entities in a result: response keys, and `@` for each item of a list. */
type EntityPath = readonly (string | number)[]

const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null

/** Finds the entities at a place, in the sequence in which the executor counts them: without null. */
const entitiesAt = (data: unknown, path: EntityPath): Entity[] => {
  if (!isEntity(data)) return []
  const [head, ...rest] = path
  if (Array.isArray(data)) return data.flatMap(item => entitiesAt(item, head === '@' ? rest : path))
  return head === undefined ? [data] : entitiesAt(data[head], rest)
}

/** Whether a representation is one of an entity: it has the entity's type and key. */
const represents = (representation: Entity, entity: Entity): boolean =>
  Object.entries(representation).every(([name, value]) => isEntity(value) || entity[name] === value)

/** Finds the index of the entity of each representation; representations are in the entities' sequence. */
const indexesOf = (
  representations: readonly Entity[],
  entities: readonly Entity[],
): (number | undefined)[] => {
  let next = 0
  return representations.map(representation => {
    const found = entities.findIndex((entity, index) => index >= next && represents(representation, entity))
    if (found < 0) return undefined
    next = found + 1
    return found
  })
}

/** Most errors for a fetch that failed as a whole: a page of entities and a few fields of each. */
const MAX_ERRORS = 100

/** Copies an error to another path; the message by name, since a spread leaves out that of a GraphQLError. */
const at = (error: GraphQLFormattedError, path: readonly (string | number)[]): GraphQLFormattedError => ({
  ...error,
  message: error.message,
  path,
})

/** Whether an error names a field; below `_entities`, also one of the entities. */
const isPlaced = ({ path }: GraphQLFormattedError): boolean =>
  path !== undefined && (path[0] !== '_entities' || typeof path[1] === 'number')

/** Repeats errors without a place for each field of the fetch. Where it has none, nothing that the client selects has failed. */
const spread = (errors: readonly GraphQLFormattedError[], { request }: Fetch) => {
  const { paths, isEmpty } = fieldsOfFetch(request.query!, request.variables ?? {}, MAX_ERRORS)
  if (isEmpty) return errors.filter(isPlaced)
  const all = errors.flatMap(error => (isPlaced(error) ? [error] : paths.map(path => at(error, path))))
  return paths.length === 0 ? errors : all.slice(0, MAX_ERRORS)
}

/**
 * Place in Apollo's context of a request for the results of the operation's root fetches, into which the executor merges all
 * later ones. A map beside the contexts would occupy each garbage collection.
 */
const RESULTS = Symbol('results')

const resultsOf = ({ incomingRequestContext }: Fetch): unknown[] => {
  if (!incomingRequestContext) return []
  const context = incomingRequestContext as { [RESULTS]?: unknown[] }
  context[RESULTS] ??= []
  return context[RESULTS]
}

/**
 * Gives errors the index of their entity. The executor takes the n-th representation for the n-th entity at the path of
 * the fetch, which is wrong where entities of several types stand there, as in a timeline.
 */
const aimAtEntities = (errors: readonly GraphQLFormattedError[], options: Fetch) => {
  const representations = representationsOf(options.request)
  const { pathInIncomingRequest: place } = options
  if (!representations || !place) return errors
  const entities = resultsOf(options).flatMap(result => entitiesAt(result, place))
  const indexes = indexesOf(representations, entities)
  return errors.map(error => {
    const [field, index, ...rest] = error.path ?? []
    const own = field === '_entities' && typeof index === 'number' ? indexes[index] : undefined
    return own === undefined ? error : at(error, ['_entities', own, ...rest])
  })
}

const place = (result: Result, options: Fetch): Result => {
  if (!result.errors) return result
  const { errors: found, ...rest } = result
  const errors = result.data ? found : spread(found, options)
  return errors.length === 0 ? rest : { ...rest, errors: aimAtEntities(errors, options) }
}

/**
 * Makes a source whose errors have the paths of the client's response; the facts of the client's request count the wait
 * for it.
 */
export const withErrorPaths = (source: SubgraphSource): SubgraphSource => ({
  async process(options) {
    const waiting = options.context.facts?.subgraphs
    waiting?.begin()
    try {
      const result = await source.process(options)
      if (result.data && !representationsOf(options.request)) resultsOf(options).push(result.data)
      return place(result, options)
    } finally {
      waiting?.end()
    }
  },
})
