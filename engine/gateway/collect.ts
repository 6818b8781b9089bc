/** Collects the representation of an entity, by which another subgraph finds it. */
import { getResponseName, type QueryPlanFieldNode, type QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, Kind } from 'graphql'
import { deepMerge, isObjectOfType } from '#gateway/third-party/apollo-internals.ts'
import { createDataClass } from '../subgraph/result.ts'

/** Data of an entity, fetched or to be sent. */
export type Entity = Record<string, unknown>

/** Takes the selected fields of an entity; null where one of them is missing, since they identify no entity then. */
export type Collect = (source: Entity | null) => Entity | null

/** Adds fields to a representation; false where the source lacks a required one. */
type Add = (source: Entity, to: Entity) => boolean

const addField = ({ selections, ...field }: QueryPlanFieldNode, schema: GraphQLSchema): Add => {
  const name = getResponseName({ ...field, selections })
  const inner = selections && compileCollect(selections, schema)
  const taken = (value: unknown) => (inner ? inner(value as Entity | null) : value)
  return (source, to) => {
    const value = Object.hasOwn(source, name) ? source[name] : undefined
    if (value === undefined) return false
    to[name] = Array.isArray(value) ? value.map(taken) : taken(value)
    return true
  }
}

/** Tests a type condition. Results are kept for the type names of the schema; names that it does not have are tested each time. */
const createTypeTest = (condition: string, schema: GraphQLSchema) => {
  const known = new Map<unknown, boolean>()
  return (source: Entity): boolean => {
    const typename = source['__typename']
    const found = known.get(typename)
    if (found !== undefined) return found
    const is = isObjectOfType(schema, source, condition)
    if (typeof typename === 'string' && schema.getType(typename)) known.set(typename, is)
    return is
  }
}

const NOTHING: Add = () => true

const toAdd = (selection: QueryPlanSelectionNode, schema: GraphQLSchema): Add => {
  if (selection.kind === Kind.FIELD) return addField(selection, schema)
  if (!selection.typeCondition) return NOTHING
  const collect = compileCollect(selection.selections, schema)
  const isOfType = createTypeTest(selection.typeCondition, schema)
  return (source, to) => {
    if (isOfType(source)) deepMerge(to, collect(source))
    return true
  }
}

/** Compiles the selection that a fetch requires of each entity. */
export function compileCollect(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): Collect {
  const adds = selections.map(selection => toAdd(selection, schema))
  const create = createDataClass()
  return source => {
    if (source === null) return null
    const result = create()
    return adds.every(add => add(source, result)) ? result : null
  }
}
