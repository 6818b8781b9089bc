/** Completes values type by type, as the specification of GraphQL says and graphql-js does it. */
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
} from 'graphql'
import { isPromise } from '#core/graph/executor.ts'
import { inspect } from '#core/third-party/graphql.ts'
import { type ErrorPlace, nullFor } from './result.ts'
import type { CompileFields, Complete, Execution, SelectedField, Selection } from './types.ts'

/** Field whose values are completed. */
export interface CompletionOptions {
  readonly schema: GraphQLSchema
  readonly field: SelectedField
  readonly fieldsOf: CompileFields
}

const completeLeaf =
  (type: GraphQLLeafType): Complete =>
  (_execution, _info, _path, value) => {
    const serialized = type.serialize(value)
    if (serialized != null) return serialized
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to ` +
        `return non-nullable value, returned: ${inspect(serialized)}`,
    )
  }

/** Compiles the completion of values that are neither null nor an error. */
const completePresent = (type: GraphQLOutputType, options: CompletionOptions): Complete => {
  const { schema, field, fieldsOf } = options
  if (isNonNullType(type)) return completePresent(type.ofType, options)
  if (isLeafType(type)) return completeLeaf(type)
  if (isListType(type)) return completeList(type, field, compileComplete(type.ofType, options))
  if (isObjectType(type)) return completeObject(type, field, fieldsOf(type))
  return completeAbstract(type, field, schema, fieldsOf)
}

/** Compiles the completion of values of a type. */
export function compileComplete(type: GraphQLOutputType, options: CompletionOptions): Complete {
  const isNonNull = isNonNullType(type)
  const present = completePresent(type, options)
  const { parentType, definition } = options.field
  return (execution, info, path, value) => {
    if (value instanceof Error) throw value
    const completed = value == null ? null : present(execution, info, path, value)
    if (completed !== null || !isNonNull) return completed
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`)
  }
}

/** Error of a resolved type that is no name. */
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

/** Error of a type name that is not possible for the abstract type. */
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

/** Completes values of an interface or union; the selection is compiled for each possible type. */
function completeAbstract(
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

/** Completes objects of one type, after its `isTypeOf`. */
function completeObject(type: GraphQLObjectType, field: SelectedField, selection: Selection): Complete {
  const checkType = (isOf: boolean, value: unknown) => {
    if (isOf) return
    const { nodes } = field
    throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes })
  }
  if (!type.isTypeOf) return (execution, _info, path, value) => selection.execute(execution, value, path)
  return (execution, info, path, value) => {
    const isOf = type.isTypeOf!(value, execution.contextValue, info!)
    if (isPromise(isOf))
      return isOf.then(resolved => {
        checkType(Boolean(resolved), value)
        return selection.execute(execution, value, path)
      })
    checkType(Boolean(isOf), value)
    return selection.execute(execution, value, path)
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'

/** Completes an item that comes later. */
const completeLater = (
  complete: Complete,
  execution: Execution,
  info: GraphQLResolveInfo | undefined,
  path: ResponsePath,
  item: PromiseLike<unknown>,
): PromiseLike<unknown> => item.then(resolved => complete(execution, info, path, resolved))

/** Turns the later failure of an item into null, or into the list's error. */
const orNullAt = (
  completed: PromiseLike<unknown>,
  place: ErrorPlace,
  path: ResponsePath,
  { errors }: Execution,
): PromiseLike<unknown> => completed.then(undefined, error => nullFor(error, place, path, errors))

/** Completes lists; an error of an item is null at its own place, where null is allowed. */
function completeList(
  { ofType }: GraphQLList<GraphQLOutputType>,
  { nodes, parentType, definition }: SelectedField,
  complete: Complete,
): Complete {
  const place = { nodes, isNonNull: isNonNullType(ofType) }
  const noList = `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`
  return (execution, info, prev, value) => {
    if (!isIterable(value)) throw new GraphQLError(noList)
    let hasPromise = false
    const items: unknown[] = []
    // No closure in the loop: one for each item takes longer than most items.
    for (const item of value) {
      const path: ResponsePath = { prev, key: items.length, typename: undefined }
      let completed: unknown
      try {
        completed = isPromise(item)
          ? completeLater(complete, execution, info, path, item)
          : complete(execution, info, path, item)
        if (isPromise(completed)) {
          hasPromise = true
          completed = orNullAt(completed, place, path, execution)
        }
      } catch (error) {
        completed = nullFor(error, place, path, execution.errors)
      }
      items.push(completed)
    }
    return hasPromise ? Promise.all(items) : items
  }
}
