/** Which values a leaf may have in an answer, as Apollo Gateway decides it, once for each type. */
import { isCustomScalarType, isEnumType, type Schema, type Type } from '@apollo/federation-internals'

type IsValid = (value: unknown) => boolean

/** What is written in digits alone (`isValidLeafValue` looks at the text): from 1e21 on there is an exponent. */
const isWhole = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) < 1e21

/** Tells valid values of a leaf type, as `isValidLeafValue` of @apollo/federation-internals does. */
export function compileLeaf(schema: Schema, type: Type): IsValid {
  if (isCustomScalarType(type)) return () => true
  if (type === schema.stringType()) return value => typeof value === 'string'
  if (type === schema.booleanType()) return value => typeof value === 'boolean'
  if (isEnumType(type)) {
    const values = new Set<unknown>(type.values.map(({ name }) => name))
    return value => values.has(value)
  }
  if (type === schema.floatType()) return Number.isFinite
  if (type === schema.intType()) return isWhole
  return value => typeof value === 'string' || isWhole(value)
}
