/** `_entities` requests made of a subgraph's own schema: representations by its keys, fitting or broken. */
import { type ConstDirectiveNode, type GraphQLSchema, isObjectType } from 'graphql'
import type { Draw } from './draw.ts'
import { makeSelection, NUMBERS_OF_DIRECTORY } from './graph-cases.ts'
import { hostileValue } from './hostile.ts'
import { subgraphSchema } from './schemas.ts'

export interface EntityCase {
  readonly headers: Record<string, string>
  readonly raw: string
}

/** An entity and the field that is its key. */
export interface Entity {
  readonly typename: string
  readonly key: string
}

const keyOf = (directives: readonly ConstDirectiveNode[] = []): string | undefined => {
  const value = directives.find(({ name }) => name.value === 'key')?.arguments?.[0]?.value
  return value?.kind === 'StringValue' ? value.value : undefined
}

/** The entities that a schema has. */
export const entitiesOf = (schema: GraphQLSchema): Entity[] =>
  Object.values(schema.getTypeMap()).flatMap(type => {
    const key = isObjectType(type) ? keyOf(type.astNode?.directives) : undefined
    return key ? [{ typename: type.name, key }] : []
  })

const schemas = new Map<string, GraphQLSchema>()
const schemaOf = (name: string) => {
  const schema = schemas.get(name) ?? subgraphSchema(name)
  schemas.set(name, schema)
  return schema
}

const IDS = ['00000000-0000-0000-0000-000000000000', '01a200e6-ef70-7380-87ce-8c6109499914', 'x', '']
const VALUES: Record<string, readonly string[]> = {
  mobileNumber: NUMBERS_OF_DIRECTORY,
  customerAccountNumber: ['100001', '100003', '999999'],
}

const representation = (draw: Draw, { typename, key }: Entity): unknown => {
  if (draw.chance(3)) return hostileValue(draw)
  const value = draw.chance(15) ? hostileValue(draw) : draw.pick(VALUES[key] ?? IDS)
  return {
    ...(!draw.chance(2) && { __typename: draw.chance(3) ? hostileValue(draw) : typename }),
    ...(!draw.chance(4) && { [key]: value }),
    ...(draw.chance(3) && { surplus: hostileValue(draw) }),
  }
}

/** One look-up of up to twenty entities. */
export function makeEntityCase(draw: Draw, name: string, tokens: readonly string[]): EntityCase {
  const schema = schemaOf(name)
  const entity = draw.pick(entitiesOf(schema))
  const fitting = { ids: IDS, cursors: ['', 'x', 'MTIz'] }
  const { selection, variables, declarations } = makeSelection(draw, schema, entity.typename, fitting)
  const r = Array.from({ length: draw.below(20) }, () => representation(draw, entity))
  const query = `query (${['$r: [_Any!]!', ...declarations].join(', ')}) { _entities(representations: $r) { ... on ${entity.typename}${selection} } }`
  const headers = {
    'content-type': 'application/json',
    ...(draw.chance(98) && { authorization: `Bearer ${draw.pick(tokens)}` }),
  }
  return { headers, raw: JSON.stringify({ query, variables: { ...variables, r } }) }
}
