/** Which values a leaf may have in an answer, as Apollo Gateway decides it, once for each type. */
import {
  isCustomScalarType,
  isEnumType,
  isValidLeafValue,
  type Schema,
  type Type,
} from '@apollo/federation-internals'

type IsValid = (value: unknown) => boolean

/** Tells valid values of a leaf type. */
export function compileLeaf(schema: Schema, type: Type): IsValid {
  if (isCustomScalarType(type)) return () => true
  if (type === schema.stringType()) return value => typeof value === 'string'
  if (type === schema.booleanType()) return value => typeof value === 'boolean'
  if (isEnumType(type)) {
    const values = new Set<unknown>(type.values.map(({ name }) => name))
    return value => values.has(value)
  }
  return value => isValidLeafValue(schema, value, type as Parameters<typeof isValidLeafValue>[2])
}
