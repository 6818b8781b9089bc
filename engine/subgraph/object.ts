/** Completes objects, whose fields were collected when the operation was compiled. */
import { GraphQLError, type GraphQLObjectType } from 'graphql'
import { inspect, isPromise } from '#core/third-party/graphql.ts'
import { executeFields } from './fields.ts'
import type { Complete, SelectedField, Selection } from './types.ts'

/** Completes values of one type of object, once they are known to be of it. */
export function completeObject(
  type: GraphQLObjectType,
  field: SelectedField,
  selection: Selection,
): Complete {
  const checkType = (isOf: boolean, value: unknown) => {
    if (isOf) return
    const { nodes } = field
    throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes })
  }
  if (!type.isTypeOf)
    return (execution, _info, path, value) => executeFields(selection, execution, value, path)
  return (execution, info, path, value) => {
    const isOf = type.isTypeOf!(value, execution.contextValue, info!)
    if (isPromise(isOf))
      return isOf.then(resolved => {
        checkType(Boolean(resolved), value)
        return executeFields(selection, execution, value, path)
      })
    checkType(Boolean(isOf), value)
    return executeFields(selection, execution, value, path)
  }
}
