/** What entities are asked for by: a representation that names no entity of the subgraph is the asker's fault. */
import {
  type ConstDirectiveNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNullableType,
  isLeafType,
  valueFromASTUntyped,
} from 'graphql'

type Representation = Readonly<Record<string, unknown>>

/** A key of an entity: its fields with the types of those that are no objects themselves. */
type Key = readonly (readonly [field: string, type: GraphQLLeafType | undefined])[]

/** The outermost fields of a `@key`: `id owner { id }` has two. */
const fieldsOf = (key: string): string[] => {
  const fields: string[] = []
  let depth = 0
  for (const sign of key.match(/[{}]|\w+/g) ?? []) {
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (depth === 0) fields.push(sign)
  }
  return fields
}

const toKey = (entity: GraphQLObjectType, fields: readonly string[]): Key =>
  fields.map(name => {
    const type = getNullableType(entity.getFields()[name]?.type)
    return [name, isLeafType(type) ? type : undefined]
  })

const argumentOf = ({ arguments: given }: ConstDirectiveNode, argument: string) =>
  given?.find(({ name }) => name.value === argument)?.value

/** A key that the subgraph only refers by leads to nothing here (Federation 2, `@key(resolvable: false)`). */
const isResolvable = (key: ConstDirectiveNode): boolean => {
  const resolvable = argumentOf(key, 'resolvable')
  return resolvable?.kind !== 'BooleanValue' || resolvable.value
}

/** The keys by which an entity can be looked up, from its own definition and those that extend it. */
const keysOf = (entity: GraphQLObjectType): Key[] =>
  [entity.astNode, ...entity.extensionASTNodes]
    .flatMap(node => node?.directives ?? [])
    .filter(directive => directive.name.value === 'key' && isResolvable(directive))
    .flatMap(directive => argumentOf(directive, 'fields') ?? [])
    .flatMap(value => (value.kind === 'StringValue' ? [toKey(entity, fieldsOf(value.value))] : []))

const isOf = (type: GraphQLLeafType, value: unknown): boolean => {
  try {
    return type.parseValue(value) !== undefined
  } catch {
    return false
  }
}

const hasKey = (representation: Representation, key: Key): boolean =>
  key.every(([name, type]) => {
    const value = Object.hasOwn(representation, name) ? representation[name] : undefined
    return value != null && (!type || isOf(type, value))
  })

const isObject = (value: unknown): value is Representation =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const describeKeys = (keys: readonly Key[]) =>
  keys.map(key => key.map(([name]) => name).join(' and ')).join(', or ')

/** Makes a schema refuse wrong values of `_Any`, which would otherwise fail where they are resolved, as bugs do. */
export function checkRepresentations(schema: GraphQLSchema): void {
  const any = schema.getType('_Any') as GraphQLScalarType | undefined
  const union = schema.getType('_Entity') as GraphQLUnionType | undefined
  if (!any || !union) return
  const keysByName = new Map(union.getTypes().map(entity => [entity.name, keysOf(entity)]))
  const check = (value: unknown) => {
    const name = isObject(value) ? value['__typename'] : undefined
    const keys = typeof name === 'string' ? keysByName.get(name) : undefined
    if (!keys?.length) throw new GraphQLError('__typename must name an entity of this subgraph')
    if (keys.some(key => hasKey(value as Representation, key))) return value
    throw new GraphQLError(`A ${name} must be named by its key, of the right type: ${describeKeys(keys)}`)
  }
  any.parseValue = check
  any.parseLiteral = (node, variables) => check(valueFromASTUntyped(node, variables))
}
