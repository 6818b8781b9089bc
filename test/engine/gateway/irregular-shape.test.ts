/** Irregular data: the compiled shape has the nulls and the errors of Apollo's own `computeResponse`, in their order. */
import { buildSchema, parseOperation } from '@apollo/federation-internals'
import {
  buildASTSchema,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { compileIrregularShape, type Shaped } from '#engine/gateway/irregular-shape.ts'
import { IRREGULAR } from '#engine/gateway/shape.ts'
import { computeResponse } from '#gateway/third-party/apollo-internals.ts'

const SDL = `
  type Query { a: A an: A! list: [A!]! lists: [[A]!] any: Named one: Either }
  interface Named { id: ID! name: String! next: A }
  type A implements Named { id: ID! name: String! n: Int f: Float! b: Boolean e: E! s: Any next: A need: A! items: [A!]
    some: [A]! tags: [String!]! named: Named! }
  type B implements Named { id: ID! name: String! other: E next: A }
  union Either = A | B
  enum E { X Y }
  scalar Any`
const FEDERATED = buildSchema(SDL)
const SCHEMA = buildASTSchema(parse(SDL))

const OPERATIONS = [
  '{ a { id name n f b e s } }',
  '{ an { id need { name need { e tags } } } a { n } }',
  '{ list { id items { id f } some { name need { id } } } }',
  '{ lists { id e next { f } } }',
  '{ any { __typename id name ... on A { n need { id } } ... on B { other next { id } } } }',
  '{ one { __typename kind: __typename ... on A { tags named { __typename name } } ... on B { other } ... on Named { id } } }',
  '{ x: a { y: name z: f ...F } an { ...F } } fragment F on A { some { b } tags }',
  '{ a { ... on Named { id name next { e } } n } }',
  '{ a { name name next { id } next { f } } }',
]

/** Numbers from 0 to 1, the same in each run (mulberry32). */
const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const FAULTS = [
  null,
  7,
  'text',
  true,
  {},
  [],
  1.5,
  { __typename: 'Nothing' },
  { __typename: 'B' },
  { __typename: 'Named' },
]
const FAULT_SHARE = 0.04

class DataWriter {
  readonly #random: () => number
  readonly #fragments: ReadonlyMap<string, SelectionSetNode>

  constructor(random: () => number, fragments: ReadonlyMap<string, SelectionSetNode>) {
    this.#random = random
    this.#fragments = fragments
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!
  }

  value(type: GraphQLOutputType, set: SelectionSetNode | undefined): unknown {
    if (this.#random() < FAULT_SHARE) return structuredClone(this.#pick(FAULTS))
    if (isNonNullType(type)) return this.value(type.ofType, set)
    if (isListType(type))
      return Array.from({ length: Math.floor(this.#random() * 4) }, () => this.value(type.ofType, set))
    if (isAbstractType(type)) return this.object(this.#pick(SCHEMA.getPossibleTypes(type)), set!)
    if (isObjectType(type)) return this.object(type, set!)
    return this.#leaf(type)
  }

  #leaf(type: GraphQLNamedType): unknown {
    if (isEnumType(type)) return this.#pick(['X', 'Y'])
    return { ID: 'i', String: 's', Int: 3, Float: 0.5, Boolean: false, Any: { any: [1] } }[type.name]
  }

  /** Writes the fields of all fragments that apply, with its type name as subgraphs give it. */
  object(type: GraphQLNamedType, set: SelectionSetNode, isRoot = false): Record<string, unknown> {
    const data: Record<string, unknown> = isRoot || this.#random() < 0.3 ? {} : { __typename: type.name }
    this.#fill(data, type, set)
    return data
  }

  #fill(data: Record<string, unknown>, type: GraphQLNamedType, set: SelectionSetNode): void {
    for (const one of set.selections) {
      if (one.kind === Kind.FRAGMENT_SPREAD) this.#fill(data, type, this.#fragments.get(one.name.value)!)
      else if (one.kind === Kind.INLINE_FRAGMENT) this.#fill(data, type, one.selectionSet)
      else if (one.name.value === '__typename') data[(one.alias ?? one.name).value] = type.name
      else {
        const field = isObjectType(type) ? type.getFields()[one.name.value] : undefined
        if (field && this.#random() > FAULT_SHARE)
          data[(one.alias ?? one.name).value] = this.value(field.type, one.selectionSet)
      }
    }
  }
}

const textOf = ({ data, errors }: Shaped): string =>
  JSON.stringify({
    data,
    errors: errors.map(({ message, path, extensions }) => ({ message, path, extensions })),
  })

describe('irregular data', () => {
  it('IRREGULAR-01 MUST be shaped as Apollo shapes them, or left to it', () => {
    const random = createRandom(7)
    const seen = { shaped: 0, left: 0, errors: 0 }
    for (const text of OPERATIONS) {
      const document = parse(text)
      const fragments = new Map(
        document.definitions.flatMap(one =>
          one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
        ),
      )
      const [first] = document.definitions
      const set = first?.kind === Kind.OPERATION_DEFINITION ? first.selectionSet : undefined
      const operation = parseOperation(FEDERATED, text)
      const shape = compileIrregularShape(operation, () => true)
      for (let turn = 0; turn < 1_500; turn += 1) {
        const input = new DataWriter(random, fragments).object(SCHEMA.getQueryType()!, set!, true)
        const before = JSON.stringify(input)
        let shaped: Shaped
        try {
          shaped = shape(input)
        } catch (error) {
          expect(error).toBe(IRREGULAR)
          seen.left += 1
          continue
        }
        const byApollo = computeResponse({
          operation,
          variables: {},
          input,
          introspectionHandling: () => undefined,
        }) as Shaped
        expect(textOf(shaped)).toBe(textOf(byApollo))
        expect(JSON.stringify(input)).toBe(before)
        seen.shaped += 1
        seen.errors += shaped.errors.length
      }
    }
    expect(seen.shaped).toBeGreaterThan(seen.left)
    expect(seen.errors).toBeGreaterThan(1_000)
  })
})
