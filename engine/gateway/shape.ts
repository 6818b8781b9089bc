/**
 * Shape of a response: the fetched data in the client's own selection. Only regular data are shaped here. At the first
 * irregularity (a null where none may be, another type, a missing type name) `IRREGULAR` is thrown, and the caller has the same
 * data shaped with their errors (`irregular-shape.ts`).
 */
import {
  type CompositeType,
  isCompositeType,
  isCustomScalarType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  type Operation,
  type Schema,
  type Type,
} from '@apollo/federation-internals'
import { generate } from '../subgraph/generate.ts'
import { type Chosen, type CollectedField, collectFields, type SelectionSets } from './collect.ts'

/** Thrown in place of an error, since its stack is never read. */
export const IRREGULAR = Symbol('irregular')

type Input = Readonly<Record<string, unknown>>
/** Makes a part of the response from fetched data. */
type Shape<From> = (input: From) => unknown

interface Field {
  readonly key: string
  readonly value: Shape<unknown>
}

const irregular = (): never => {
  throw IRREGULAR
}

const nonNull =
  (inner: Shape<unknown>): Shape<unknown> =>
  value =>
    value === null || value === undefined ? irregular() : inner(value)

const nullable =
  (inner: Shape<unknown>): Shape<unknown> =>
  value =>
    value === null || value === undefined ? null : inner(value)

const list = (inner: Shape<unknown>): Shape<unknown> => {
  const item: Shape<unknown> = value => (value === undefined ? irregular() : inner(value))
  return value => (Array.isArray(value) ? value.map(item) : irregular())
}

/** Makes the function that shapes the fields of an object. */
const putTogether = (fields: readonly Field[]): Shape<Input> => {
  const keys = fields.map(({ key }) => key)
  const text = `input => ({ ${keys.map((key, index) => `${key}: shape${index}(input.${key})`).join(', ')} })`
  const shapes = Object.fromEntries(fields.map(({ value }, index) => [`shape${index}`, value]))
  const byName: Shape<Input> = input => {
    const output: Record<string, unknown> = {}
    for (const { key, value } of fields) output[key] = value(input[key])
    return output
  }
  return generate<Shape<Input>>(text, keys, shapes) ?? byName
}

class ShapeCompiler {
  readonly #schema: Schema
  readonly #chosen: Chosen

  constructor(schema: Schema, chosen: Chosen) {
    this.#schema = schema
    this.#chosen = chosen
  }

  /** Compiles the shape of a type's values; only composite types have selections. */
  compile(type: Type, selections: SelectionSets): Shape<unknown> {
    if (isNonNullType(type)) return nonNull(this.#inner(type.ofType, selections))
    return nullable(this.#inner(type, selections))
  }

  /** Compiles the fields of an object whose type is known: by its name or, without a name, because only one is possible. */
  object(type: CompositeType, typename: string | undefined, selections: SelectionSets): Shape<Input> {
    const collected = collectFields(this.#schema, { type, typename, selections, chosen: this.#chosen })
    if (!collected) return irregular
    return putTogether([...collected].map(([key, field]) => this.#field(key, field, typename)))
  }

  #inner(type: Type, selections: SelectionSets): Shape<unknown> {
    if (isListType(type)) return list(this.compile(type.ofType, selections))
    if (isCompositeType(type)) return this.#composite(type, selections)
    const isValid = compileLeaf(this.#schema, type)
    return value => (isValid(value) ? value : irregular())
  }

  #field(key: string, { typename, type, selections }: CollectedField, given: string | undefined): Field {
    if (typename === undefined) return { key, value: type ? this.compile(type, selections) : irregular }
    // An alias of `__typename` may be missing; where it was fetched, it has the same value.
    const isFetched = key === '__typename' && given !== undefined
    const value: Shape<unknown> = found =>
      found === typename || (!isFetched && (found === undefined || found === null)) ? typename : irregular()
    return { key, value }
  }

  /** Chooses the shape by the type name of each object; without one it can only be of the type in the schema. */
  #composite(type: CompositeType, selections: SelectionSets): Shape<unknown> {
    const shapes = new Map<unknown, Shape<Input>>()
    const shapeOf = (typename: unknown): Shape<Input> => {
      if (typename === undefined)
        return isObjectType(type) ? this.object(type, undefined, selections) : irregular
      const named = typeof typename === 'string' ? this.#schema.type(typename) : undefined
      if (!named || !isObjectType(named)) return irregular()
      return this.object(named, named.name, selections)
    }
    return value => {
      if (typeof value !== 'object' || Array.isArray(value)) return irregular()
      const typename = (value as Input)['__typename']
      const shape = shapes.get(typename) ?? shapeOf(typename)
      shapes.set(typename, shape)
      return shape(value as Input)
    }
  }
}

/**
 * Compiles the response of an operation.
 * @param chosen gives the conditions that hold.
 */
export function compileShape(operation: Operation, chosen: Chosen): Shape<Input> {
  const schema = operation.schema()
  const root = schema.schemaDefinition.rootType(operation.rootKind)
  if (!root) return irregular
  return new ShapeCompiler(schema, chosen).object(root, undefined, [operation.selectionSet])
}

type IsValid = (value: unknown) => boolean

/** Whether a number is written in digits alone, as `isValidLeafValue` tests the text: from 1e21 on there is an exponent. */
const isWhole = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) < 1e21

/** Compiles the test for valid values of a leaf type, as `isValidLeafValue` of @apollo/federation-internals does it. */
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
