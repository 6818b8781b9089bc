/** Completes values type by type, as the specification of GraphQL says and graphql-js does it. */
import {
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { inspect } from '#core/third-party/graphql.ts'
import { completeAbstract } from './abstract.ts'
import { completeList } from './list.ts'
import { completeObject } from './object.ts'
import type { CompileFields, Complete, SelectedField } from './types.ts'

/** What there is to compile: a field's selections, in a schema. */
export interface Completing {
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

/** How a value is completed that is neither null nor an error, nor may be the former. */
const completePresent = (type: GraphQLOutputType, completing: Completing): Complete => {
  const { schema, field, fieldsOf } = completing
  if (isNonNullType(type)) return completePresent(type.ofType, completing)
  if (isLeafType(type)) return completeLeaf(type)
  if (isListType(type)) return completeList(type, field, compileComplete(type.ofType, completing))
  if (isObjectType(type)) return completeObject(type, field, fieldsOf(type))
  return completeAbstract(type, field, schema, fieldsOf)
}

/** Compiles how values of a type are completed. */
export function compileComplete(type: GraphQLOutputType, completing: Completing): Complete {
  const isNonNull = isNonNullType(type)
  const present = completePresent(type, completing)
  const { parentType, definition } = completing.field
  return (execution, info, path, value) => {
    if (value instanceof Error) throw value
    const completed = value == null ? null : present(execution, info, path, value)
    if (completed !== null || !isNonNull) return completed
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`)
  }
}
