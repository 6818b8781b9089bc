/** The fields that a fetch asks a subgraph for, by the paths that the subgraph's own errors would have. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

type Variables = Readonly<Record<string, unknown>>
type Place = (string | number)[]
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

interface Fetch {
  readonly fragments: Fragments
  readonly variables: Variables
}

const isLeftOut = (node: SelectionNode, { variables }: Fetch): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] === false

/** The fields of a selection, as one of `typename` has them; of any type where it is not known. */
const fieldsOf = ({ selections }: SelectionSetNode, fetch: Fetch, typename?: string): FieldNode[] =>
  selections.flatMap(node => {
    if (isLeftOut(node, fetch)) return []
    if (node.kind === Kind.FIELD) return node.name.value === '__typename' ? [] : [node]
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fetch.fragments.get(node.name.value)! : node
    const condition = fragment.typeCondition?.name.value
    if (typename !== undefined && condition !== undefined && condition !== typename) return []
    return fieldsOf(fragment.selectionSet, fetch, typename)
  })

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

const ofEntities = (entities: FieldNode, fetch: Fetch, most: number): Place[] => {
  const representations = fetch.variables['representations'] as readonly { __typename: string }[]
  const places = (index: number, typename: string) =>
    fieldsOf(entities.selectionSet!, fetch, typename).map(field => ['_entities', index, keyOf(field)])
  return representations.slice(0, most).flatMap(({ __typename }, index) => places(index, __typename))
}

/**
 * The places of a fetch.
 * @param query the fetch as the planner wrote it: one operation, and its fragments.
 * @param most how many are wanted.
 */
export const placesOf = (query: string, variables: Variables, most: number): Place[] => {
  const { definitions } = parse(query, { noLocation: true })
  const operation = definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  const fetch = { variables, fragments: new Map(fragments.map(one => [one.name.value, one])) }
  const fields = fieldsOf(operation.selectionSet, fetch)
  const isOfEntities = (field: FieldNode) =>
    field.name.value === '_entities' && Array.isArray(variables['representations'])
  return fields
    .flatMap(field => (isOfEntities(field) ? ofEntities(field, fetch, most) : [[keyOf(field)]]))
    .slice(0, most)
}
