/**
 * Shape of a response whose data are irregular: a null where none may be, or a value that its type does not have. It gives the nulls
 * and the errors of Apollo's own `computeResponse`, in their order. That one still shapes what could be told in two ways, such as
 * a field of objects that is selected at several places: `IRREGULAR` is thrown there.
 */
import {
  type CompositeType,
  ERRORS,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  type Operation,
  type Schema,
  type Type,
} from '@apollo/federation-internals'
import type { GraphQLError } from 'graphql'
import { withoutStack } from '#core/errors/catalogue.ts'
import {
  type Chosen,
  type CollectedField,
  collectFields,
  type Entity,
  type SelectionSets,
} from './collect.ts'
import { compileLeaf, IRREGULAR } from './shape.ts'

/** Effect of a value on the values around it, in Apollo's words: nothing, `hasErrors`, or `isInvalid` with `hasErrors`. */
type Effect = 'none' | 'error' | 'invalid'

/** One shaping: the place where it is, and what it found. */
interface Shaping {
  readonly path: (string | number)[]
  readonly errors: GraphQLError[]
  /** Effect of the value that was shaped last. */
  effect: Effect
}

type Shape = (shaping: Shaping, input: unknown) => unknown

const irregular = (): never => {
  throw IRREGULAR
}

/** Type whose field or element is shaped: descriptions of places name them. */
interface Place {
  readonly parent: CompositeType
}

const report = ({ path, errors }: Shaping, start: string, type: Type, { parent }: Place): void => {
  const last = path.at(-1)!
  const where =
    typeof last === 'string' ? `field ${parent}.${last}` : `array element of type ${type} at index ${last}`
  errors.push(withoutStack(() => ERRORS.INVALID_GRAPHQL.err(`${start} ${where}.`, { path: [...path] })))
}

const nonNull =
  (inner: Shape, type: Type, place: Place): Shape =>
  (shaping, input) => {
    const value = inner(shaping, input)
    if (value === null) {
      if (shaping.effect === 'none') report(shaping, 'Cannot return null for non-nullable', type, place)
      shaping.effect = 'invalid'
    } else shaping.effect = 'none'
    return value
  }

const nullable =
  (inner: Shape): Shape =>
  (shaping, input) => {
    if (input === undefined) return irregular()
    shaping.effect = 'none'
    return input === null ? null : inner(shaping, input)
  }

const list =
  (item: Shape): Shape =>
  (shaping, input) => {
    if (!Array.isArray(input)) return irregular()
    const output: unknown[] = []
    let worst: Effect = 'none'
    for (const [index, one] of input.entries()) {
      shaping.path.push(index)
      output.push(item(shaping, one))
      shaping.path.pop()
      if (shaping.effect === 'invalid' || worst === 'none') worst = shaping.effect
    }
    shaping.effect = worst === 'none' ? 'none' : 'error'
    return worst === 'invalid' ? null : output
  }

interface Field {
  readonly key: string
  readonly value: Shape
}

const object =
  (fields: readonly Field[]): Shape =>
  (shaping, input) => {
    const output: Entity = {}
    for (const { key, value } of fields) {
      shaping.path.push(key)
      output[key] = value(shaping, (input as Entity)[key] ?? null)
      shaping.path.pop()
      if (shaping.effect !== 'invalid') continue
      shaping.effect = 'error'
      return null
    }
    shaping.effect = 'none'
    return output
  }

/** An alias of `__typename` may be missing; where it was fetched, it has the same value. */
const typenameOf =
  (typename: string, isFetched: boolean): Shape =>
  (shaping, input) => {
    shaping.effect = 'none'
    return input === typename || (!isFetched && input === null) ? typename : irregular()
  }

class IrregularCompiler {
  readonly #schema: Schema
  readonly #chosen: Chosen

  constructor(schema: Schema, chosen: Chosen) {
    this.#schema = schema
    this.#chosen = chosen
  }

  /** Compiles the fields of an object, as `compileShape` does. */
  object(type: CompositeType, typename: string | undefined, selections: SelectionSets): Shape {
    const collected = collectFields(this.#schema, { type, typename, selections, chosen: this.#chosen })
    if (!collected) return irregular
    return object([...collected].map(([key, field]) => ({ key, value: this.#field(key, field, typename) })))
  }

  #field(key: string, field: CollectedField, given: string | undefined): Shape {
    const { typename, type, selections, parent } = field
    if (typename !== undefined) return typenameOf(typename, key === '__typename' && given !== undefined)
    return type && selections.length <= 1 ? this.#compile(type, selections, { parent }) : irregular
  }

  #compile(type: Type, selections: SelectionSets, place: Place): Shape {
    if (!isNonNullType(type)) return nullable(this.#inner(type, selections, place))
    return nonNull(nullable(this.#inner(type.ofType, selections, place)), type.ofType, place)
  }

  #inner(type: Type, selections: SelectionSets, place: Place): Shape {
    if (isListType(type)) return list(this.#compile(type.ofType, selections, place))
    if (isCompositeType(type)) return this.#composite(type, selections, place)
    const isValid = compileLeaf(this.#schema, type)
    return (shaping, input) => {
      if (isValid(input)) return input
      report(shaping, 'Invalid value found for', type, place)
      shaping.effect = 'error'
      return null
    }
  }

  #composite(type: CompositeType, selections: SelectionSets, place: Place): Shape {
    const shapes = new Map<string | undefined, Shape>()
    const shapeOf = (typename: unknown): Shape => {
      if (typename === undefined)
        return isObjectType(type) ? this.object(type, undefined, selections) : irregular
      if (typeof typename !== 'string' || typename === '') return irregular
      const named = this.#schema.type(typename)
      if (named && isObjectType(named)) return this.object(named, typename, selections)
      if (named && isCompositeType(named)) return irregular
      return shaping => {
        report(shaping, 'Invalid __typename found for object at', type, place)
        shaping.effect = 'error'
        return null
      }
    }
    return (shaping, input) => {
      if (typeof input !== 'object' || Array.isArray(input)) return irregular()
      const typename = (input as Entity)['__typename'] as string | undefined
      const shape = shapes.get(typename) ?? shapeOf(typename)
      // Names come from a subgraph: those that no type has are not kept.
      if (typename === undefined || this.#schema.type(typename)) shapes.set(typename, shape)
      return shape(shaping, input)
    }
  }
}

/** Data of a response, and what was found wrong with them. */
export interface Shaped {
  readonly data: unknown
  readonly errors: readonly GraphQLError[]
}

/**
 * Compiles the response of an operation for irregular data.
 * @param chosen gives the conditions that hold.
 * @returns a function that throws IRREGULAR where only Apollo shapes the data.
 */
export function compileIrregularShape(operation: Operation, chosen: Chosen): (input: Entity) => Shaped {
  const schema = operation.schema()
  const root = schema.schemaDefinition.rootType(operation.rootKind)
  if (!root) return irregular
  const shape = new IrregularCompiler(schema, chosen).object(root, undefined, [operation.selectionSet])
  return input => {
    const shaping: Shaping = { path: [], errors: [], effect: 'none' }
    return { data: shape(shaping, input), errors: shaping.errors }
  }
}
