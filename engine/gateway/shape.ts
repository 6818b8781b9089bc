/**
 * The shape of an answer: what was fetched, in the client's own selection. Only data that are in order are shaped here;
 * at the first irregularity (a null where none may be, another type, a missing type name) `IRREGULAR` is thrown, and
 * whoever called has Apollo's own `computeResponse` shape the same data.
 */
import {
  type CompositeType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  type Operation,
  type Schema,
  type Type,
} from '@apollo/federation-internals'
import { type Chosen, type CollectedField, collectFields, type SelectionSets } from './collect-fields.ts'
import { compileLeaf } from './leaf.ts'

/** Thrown as it is, since nobody looks at where it came from. */
export const IRREGULAR = Symbol('irregular')

type Input = Readonly<Record<string, unknown>>
/** Makes of what was fetched what is answered. */
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

class ShapeCompiler {
  readonly #schema: Schema
  readonly #chosen: Chosen

  constructor(schema: Schema, chosen: Chosen) {
    this.#schema = schema
    this.#chosen = chosen
  }

  /** The shape of a type's values; `selections` of composite types alone. */
  compile(type: Type, selections: SelectionSets): Shape<unknown> {
    if (isNonNullType(type)) return nonNull(this.#inner(type.ofType, selections))
    return nullable(this.#inner(type, selections))
  }

  /** The fields of an object whose type is known: by its name or, where it gave none, because only one is possible. */
  object(type: CompositeType, typename: string | undefined, selections: SelectionSets): Shape<Input> {
    const collected = collectFields(this.#schema, { type, typename, selections, chosen: this.#chosen })
    if (!collected) return irregular
    const fields = [...collected].map(([key, field]) => this.#field(key, field, typename))
    return input => {
      const output: Record<string, unknown> = {}
      for (const { key, value } of fields) output[key] = value(input[key])
      return output
    }
  }

  #inner(type: Type, selections: SelectionSets): Shape<unknown> {
    if (isListType(type)) return list(this.compile(type.ofType, selections))
    if (isCompositeType(type)) return this.#composite(type, selections)
    const isValid = compileLeaf(this.#schema, type)
    return value => (isValid(value) ? value : irregular())
  }

  #field(key: string, { typename, type, selections }: CollectedField, given: string | undefined): Field {
    if (typename === undefined) return { key, value: type ? this.compile(type, selections) : irregular }
    // An alias of `__typename` may be missing; where it was fetched, it says the same.
    const isFetched = key === '__typename' && given !== undefined
    const value: Shape<unknown> = found =>
      found === typename || (!isFetched && (found === undefined || found === null)) ? typename : irregular()
    return { key, value }
  }

  /** By the type name that each object gives; one that says none can only be of the type that the schema names. */
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
 * Compiles the answer of an operation.
 * @param chosen which of its conditions hold.
 */
export function compileShape(operation: Operation, chosen: Chosen): Shape<Input> {
  const schema = operation.schema()
  const root = schema.schemaDefinition.rootType(operation.rootKind)
  if (!root) return irregular
  return new ShapeCompiler(schema, chosen).object(root, undefined, [operation.selectionSet])
}
