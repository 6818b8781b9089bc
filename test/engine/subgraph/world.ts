/**
 * Values of resolvers, random but the same each time for the same seed and place: all that a resolver can give, right
 * or wrong, now or later.
 */
import {
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { seeded } from '#test/core/values/random.ts'
import { describeArguments, describeInfo, spoil } from './resolver-input.ts'

const hash = (text: string): number => {
  let sum = 0
  for (const sign of text) sum = (Math.imul(sum, 31) + sign.codePointAt(0)!) | 0
  return sum
}

/** A thenable that is no promise, and calls back at once. */
const thenable = (value: unknown) => ({
  // biome-ignore lint/suspicious/noThenProperty: what is no promise but looks like one
  then: (resolve: (value: unknown) => unknown) => Promise.resolve(resolve(value)),
})

const LEAVES = ['text', '', 7, 1.5, true, Number.NaN, { a: 1 }, Symbol('sign'), 5n, 'bad', 'void', 'nil']

const afterTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await null
}

/** One execution's world: what was called, and what it gave. */
export class World {
  readonly calls: string[] = []
  readonly schema: GraphQLSchema
  readonly #seed: number
  /** Shared by worlds of the same seed, so that errors can be compared. */
  readonly #errors: Map<string, unknown>
  turn = 0

  constructor(schema: GraphQLSchema, seed: number, errors: Map<string, unknown>) {
    this.schema = schema
    this.#seed = seed
    this.#errors = errors
  }

  note(text: string): void {
    this.calls.push(`${this.turn} ${text}`)
  }

  /** Draws for one place. */
  draw(place: string): (below: number) => number {
    const draw = seeded(hash(place) ^ Math.imul(this.#seed, 0x9e3779b1))
    draw(2)
    return draw
  }

  /** Error of a place: always the same object. */
  error(place: string): unknown {
    const known = this.#errors.get(place)
    if (known !== undefined) return known
    const made = this.#makeError(place)
    this.#errors.set(place, made)
    return made
  }

  #makeError(place: string): unknown {
    const extensions = { code: 'OWN', place }
    const kinds = [
      () => new Error(`error of ${place}`),
      () => Object.assign(new TypeError(`typed ${place}`), { extensions }),
      () => new GraphQLError(`told by ${place}`, { extensions }),
      () => new GraphQLError(`located by ${place}`, { path: ['elsewhere', 0] }),
      () => `text of ${place}`,
      () => ({ place }),
      () => Symbol(place),
    ]
    return kinds[this.draw(`${place} error`)(kinds.length)]!()
  }

  /** Source of the fields of `Mutation` and `Subscription` without a resolver. */
  root(): object {
    const object = {}
    for (const { name, type } of Object.values(
      (this.schema.getType('Mutation') as GraphQLObjectType).getFields(),
    ))
      this.#property(object, 'root', name, type)
    return object
  }

  /** Result of a resolver: a value, an error, a promise of either. */
  give(place: string, type: GraphQLOutputType): unknown {
    const draw = this.draw(place)
    const kind = draw(100)
    if (kind < 3) throw this.error(place)
    if (kind < 6) return this.#rejectLater(place, draw(4))
    if (kind < 8) return new Error(`returned by ${place}`)
    if (kind < 30) return this.#giveLater(place, type, draw(4))
    if (kind < 32) return thenable(this.value(place, type))
    return this.value(place, type)
  }

  async #rejectLater(place: string, turns: number): Promise<never> {
    await afterTurns(turns)
    throw this.error(place)
  }

  async #giveLater(place: string, type: GraphQLOutputType, turns: number): Promise<unknown> {
    await afterTurns(turns)
    return this.value(place, type)
  }

  /** A value as it may be now. */
  value(place: string, type: GraphQLOutputType): unknown {
    const draw = this.draw(`${place} value`)
    const kind = draw(100)
    if (isNonNullType(type)) return kind < 3 ? null : this.value(place, type.ofType)
    if (kind < 3) return null
    if (kind < 5) return undefined
    if (isListType(type)) return this.#list(place, type.ofType, draw)
    if (isEnumType(type)) return ['RED', 'GREEN', 'RED', 'GREEN', 'BLUE', 'PINK'][draw(6)]
    if (isObjectType(type)) return this.#object(place, type, draw)
    if (isAbstractType(type)) return this.#ofAny(place, draw)
    return draw(4) > 0 ? 'text' : LEAVES[draw(LEAVES.length)]
  }

  #list(place: string, type: GraphQLOutputType, draw: (below: number) => number): unknown {
    const items = Array.from({ length: draw(4) }, (_, index) => {
      const own = `${place}.${index}`
      try {
        return this.give(own, type)
      } catch {
        return this.#rejectLater(own, 0)
      }
    })
    return this.#container(place, items, draw(24))
  }

  #container(place: string, items: unknown[], kind: number): unknown {
    const error = () => this.error(place)
    const kinds = [
      () => new Set(items),
      () => items.values(),
      function* () {
        yield* items
        throw error()
      },
      async function* () {
        yield* items
      },
      () => 'text',
      () => ({ length: 1, 0: 'a' }),
      () => Object.assign([], { 1: items[0], 3: items[1] }),
    ]
    return kinds[kind]?.() ?? items
  }

  #ofAny(place: string, draw: (below: number) => number): unknown {
    const name = ['Plain', 'Asked', 'Proven'][draw(3)]!
    return this.#object(place, this.schema.getType(name) as GraphQLObjectType, draw)
  }

  #object(place: string, type: GraphQLObjectType, draw: (below: number) => number): unknown {
    const kind = draw(60)
    if (kind === 0) return 7
    if (kind === 1) return 'a text as parent'
    const told = ['Nowhere', 'Color', 'Query', 'Filter', undefined][draw(40)] ?? type.name
    const object = kind === 2 ? () => 'a function as parent' : { __typename: told }
    Object.defineProperty(object, 'place', { value: place })
    this.#properties(object, place, type)
    return object
  }

  /** Values that only the default resolver reads. */
  #properties(object: object, place: string, type: GraphQLObjectType): void {
    for (const field of Object.values(type.getFields()))
      if (!field.resolve) this.#property(object, place, field.name, field.type)
  }

  /** Read by the default resolver: a value, a getter that may throw, a function. */
  #property(object: object, place: string, name: string, type: GraphQLOutputType): void {
    const own = `${place}.${name}`
    const draw = this.draw(`${own} property`)
    const kind = draw(10)
    const world = this
    const call = function (this: unknown, ...given: unknown[]) {
      world.#noteCall(own, given)
      world.note(`this ${this === object}`)
      return world.give(own, type)
    }
    const get = () => {
      world.note(`get ${own}`)
      return kind < 4 ? call : world.give(own, type)
    }
    Object.defineProperty(object, name, kind < 2 ? { value: call } : { get })
  }

  #noteCall(place: string, [args, context, info]: unknown[]): void {
    const told = describeInfo(info as GraphQLResolveInfo)
    this.note(`call ${place} ${describeArguments(args as object)} ${context !== undefined} ${told}`)
    spoil(args as Record<string, unknown>)
  }
}
