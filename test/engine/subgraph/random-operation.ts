/** Operations by chance over any schema: valid ones, since the executor's documents are validated before. */
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  parse,
  validate,
} from 'graphql'

type Draw = (below: number) => number

/** Types that a selection on a type may turn to. */
const turnsOf = (schema: GraphQLSchema, type: GraphQLCompositeType): string[] =>
  isAbstractType(type) ? [type.name, ...schema.getPossibleTypes(type).map(({ name }) => name)] : [type.name]

const VARIABLES = [
  '$x: Int',
  '$must: Int!',
  '$given: Int = 7',
  '$text: String',
  '$filter: Filter',
  '$color: Color!',
  '$free: Free',
  '$yes: Boolean!',
  '$no: Boolean = false',
]

const LITERALS: Readonly<Record<string, readonly string[]>> = {
  Int: ['1', '-5', '$x', '$must', '$given', 'null'],
  String: ['"a"', '""', '$text', 'null'],
  Color: ['RED', 'GREEN', '$color', 'null'],
  Free: ['1', '"now"', '{ a: [1, $x] }', '[1, { b: 2 }]', '$free', '{ a: 1 }', 'null'],
}

const FILTERS = [
  '{}',
  '{ text: "a" }',
  '{ text: $text, limit: null }',
  '{ must: 5, below: { colors: [RED, $color], limit: $given } }',
  '{ colors: RED, free: { a: "b" } }',
  '{ free: "now" }',
  '{ below: $filter }',
  '$filter',
  'null',
]

const pick = <T>(draw: Draw, all: readonly T[]): T => all[draw(all.length)]!

/** Of what may not be null neither null nor a variable that may be. */
const mayStand = (literal: string) => !['null', '$x', '$text', '$free', '$filter'].includes(literal)

const literalOf = (draw: Draw, type: GraphQLInputType): string => {
  const nullable = getNullableType(type)
  if (isListType(nullable) && draw(3) > 0)
    return `[${Array.from({ length: draw(3) }, () => literalOf(draw, nullable.ofType)).join(', ')}]`
  const literals = (LITERALS[getNamedType(type).name] ?? FILTERS).filter(
    literal => !isListType(nullable) || !literal.startsWith('$'),
  )
  return pick(draw, isNonNullType(type) ? literals.filter(mayStand) : literals)
}

const argumentsOf = (draw: Draw, args: readonly GraphQLArgument[]): string => {
  const given = args.filter(({ type }) => isNonNullType(type) || draw(3) === 0)
  return given.length === 0
    ? ''
    : `(${given.map(({ name, type }) => `${name}: ${literalOf(draw, type)}`).join(', ')})`
}

const CONDITIONS = [
  '@skip(if: $yes)',
  '@include(if: $yes)',
  '@include(if: $no)',
  '@skip(if: $no) @include(if: $yes)',
  '@skip(if: true)',
  '@include(if: true)',
  '@include(if: false)',
]

const conditionOf = (draw: Draw) => (draw(8) === 0 ? ` ${pick(draw, CONDITIONS)}` : '')

/** Of the outer ones; they may have some more below. */
const MAX_SELECTIONS = 12

/** Writes one operation. */
class Writer {
  readonly #schema: GraphQLSchema
  readonly #draw: Draw
  readonly #fragments: string[] = []
  #left = MAX_SELECTIONS
  #aliases = 0

  constructor(schema: GraphQLSchema, draw: Draw) {
    this.#schema = schema
    this.#draw = draw
  }

  write(kind: 'query' | 'mutation' | 'subscription'): string {
    const root = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[kind]
    const type = this.#schema.getType(root) as GraphQLCompositeType
    const selections = kind === 'subscription' ? `{ ${this.#field(type, 3)} }` : this.#selections(type, 3)
    const text = [`${selections}`, ...this.#fragments].join('\n')
    const declared = VARIABLES.filter(one => new RegExp(`\\${/^\$\w+/.exec(one)![0]}\\b`).test(text))
    return `${kind} Random${declared.length > 0 ? `(${declared.join(', ')})` : ''} ${text}`
  }

  #selections(type: GraphQLCompositeType, depth: number): string {
    const count = 1 + this.#draw(this.#left > 0 ? 4 : 1)
    this.#left -= count
    return `{ ${Array.from({ length: count }, () => this.#selection(type, depth)).join(' ')} }`
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const kind = this.#draw(10)
    if (kind < 2 || isUnionType(type)) return kind === 0 ? this.#name() : this.#fragment(type, depth)
    if (kind === 2) return this.#spread(type, depth)
    return this.#field(type, depth)
  }

  #name(): string {
    return pick(this.#draw, ['__typename', 'type: __typename', '__proto__: __typename', 'then: __typename'])
  }

  #field(type: GraphQLCompositeType, depth: number): string {
    if (isUnionType(type)) return '__typename'
    const all = Object.values(type.getFields())
    const field = pick(
      this.#draw,
      depth > 0 ? all : all.filter(one => !isCompositeType(getNamedType(one.type))),
    )
    // Without a name of their own fields of the same name merge, where their arguments are the same.
    const given = argumentsOf(this.#draw, field.args)
    const alias = given ? `a${this.#aliases++}: ` : ''
    return `${alias}${field.name}${given}${conditionOf(this.#draw)}${this.#below(field, depth)}`
  }

  #below({ type }: GraphQLField<unknown, unknown>, depth: number): string {
    const named = getNamedType(type)
    return isCompositeType(named) ? ` ${this.#selections(named, depth - 1)}` : ''
  }

  #fragment(type: GraphQLCompositeType, depth: number): string {
    const turn = pick(this.#draw, turnsOf(this.#schema, type))
    const on = this.#schema.getType(turn) as GraphQLCompositeType
    const condition = conditionOf(this.#draw)
    return `... ${this.#draw(4) > 0 || on !== type ? `on ${turn}` : ''}${condition} ${this.#selections(on, depth)}`
  }

  #spread(type: GraphQLCompositeType, depth: number): string {
    const turn = pick(this.#draw, turnsOf(this.#schema, type))
    const name = `F${this.#fragments.length}`
    const index = this.#fragments.push('') - 1
    this.#fragments[index] = `fragment ${name} on ${turn} ${this.#selections(
      this.#schema.getType(turn) as GraphQLCompositeType,
      depth - 1,
    )}`
    const spread = `...${name}${conditionOf(this.#draw)}`
    return this.#draw(3) === 0 ? `${spread} ...${name}` : spread
  }
}

/** A condition on a subscription's only field is refused by what validation throws. */
const isValid = (schema: GraphQLSchema, text: string): boolean => {
  try {
    return validate(schema, parse(text)).length === 0
  } catch {
    return false
  }
}

/** A valid operation. */
export const randomOperation = (schema: GraphQLSchema, draw: Draw): string => {
  for (;;) {
    const kind = pick(draw, ['query', 'query', 'query', 'mutation', 'subscription'] as const)
    const text = new Writer(schema, draw).write(kind)
    if (isValid(schema, text)) return text
  }
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  x: [1, null, undefined, 3.5, 'x'],
  must: [2, 4, 8, 16, null],
  given: [undefined, 9, null],
  text: ['text', null, undefined, 5],
  filter: [undefined, null, { text: 'a' }, { colors: 'RED', below: {} }, { unknown: 1 }, { free: 'now' }],
  color: ['RED', 'GREEN', 'BLUE', 'PINK', undefined],
  free: [1, 'now', { a: [1] }, null, undefined],
  yes: [true, false],
  no: [true, false, undefined, null],
}

/** Values for the variables, seldom wrong. */
export const randomVariables = (draw: Draw): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, values]) => {
      const value = draw(30) === 0 ? values.at(-1) : values[draw(Math.ceil(values.length / 2))]
      return value === undefined ? [] : [[name, value]]
    }),
  )
