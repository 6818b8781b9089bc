/** Completes values of interfaces and unions, each as the type of object that it turns out to be. */
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import { inspect, isPromise } from '#core/third-party/graphql.ts'
import { completeObject } from './object.ts'
import type { CompileFields, Complete, SelectedField } from './types.ts'

/** Why what was resolved is no type that the value may be of. */
const wrongName = (
  { name }: GraphQLAbstractType,
  { nodes, parentType, definition }: SelectedField,
  resolved: unknown,
  value: unknown,
): GraphQLError => {
  const must = `Abstract type "${name}" must resolve to an Object type at runtime for field "${parentType.name}.${definition.name}"`
  if (resolved == null)
    return new GraphQLError(
      `${must}. Either the "${name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    )
  if (isObjectType(resolved))
    return new GraphQLError(
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 please return type name instead.',
    )
  return new GraphQLError(`${must} with value ${inspect(value)}, received "${inspect(resolved)}".`)
}

/** Why no value of the abstract type is of the type of this name. */
const wrongType = (
  { name }: GraphQLAbstractType,
  { nodes }: SelectedField,
  resolved: string,
  schema: GraphQLSchema,
): GraphQLError => {
  const type = schema.getType(resolved)
  if (!type)
    return new GraphQLError(
      `Abstract type "${name}" was resolved to a type "${resolved}" that does not exist inside the schema.`,
      { nodes },
    )
  if (!isObjectType(type))
    return new GraphQLError(`Abstract type "${name}" was resolved to a non-object type "${resolved}".`, {
      nodes,
    })
  return new GraphQLError(`Runtime Object type "${resolved}" is not a possible type for "${name}".`, {
    nodes,
  })
}

/** Compiles what is selected for each type that a value may turn out to be of. */
export function completeAbstract(
  type: GraphQLAbstractType,
  field: SelectedField,
  schema: GraphQLSchema,
  fieldsOf: CompileFields,
): Complete {
  const possible = schema.getPossibleTypes(type)
  const byName = new Map(possible.map(one => [one.name, completeObject(one, field, fieldsOf(one))]))
  const completeAs = (resolved: unknown, value: unknown): Complete => {
    if (typeof resolved !== 'string') throw wrongName(type, field, resolved, value)
    const complete = byName.get(resolved)
    if (!complete) throw wrongType(type, field, resolved, schema)
    return complete
  }
  return (execution, info, path, value) => {
    const resolveType = type.resolveType ?? defaultTypeResolver
    const resolved: unknown = resolveType(value, execution.contextValue, info!, type)
    return isPromise(resolved)
      ? resolved.then(name => completeAs(name, value)(execution, info, path, value))
      : completeAs(resolved, value)(execution, info, path, value)
  }
}
