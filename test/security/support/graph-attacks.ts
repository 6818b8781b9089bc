/** Attacks on every field of the graph's roots, made of the schema: deep, wide, long, repeated, out of range. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isRequiredArgument,
} from 'graphql'
import { DATES, NUMBERS } from './hostile.ts'
import { fieldsOf, selectAll } from './paths.ts'
import type { Named } from './rest-attacks.ts'

type Field = GraphQLField<unknown, unknown>

const LONG = [' ', '"', '\\', '; ', 'a ', '0', '\n', '\u0000'].map(one => one.repeat(60_000 / one.length))

const SHAPES: readonly [kind: string, value: unknown][] = [
  ...LONG.map((text): [string, unknown] => ['long', text]),
  ['deep', JSON.parse(`${'{"a":['.repeat(400)}1${']}'.repeat(400)}`)],
  ['wide', Array.from({ length: 20_000 }, (_, index) => index)],
  ['wide', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]))],
  ['repeated', Array(20_000).fill('+96891000001')],
  ...[...DATES, ...NUMBERS].map((value): [string, unknown] => ['out of range', value]),
]

const declare = ({ args }: Field) =>
  args.length > 0 ? `(${args.map(({ name, type }) => `$${name}: ${type}`).join(', ')})` : ''
const apply = ({ args }: Field) =>
  args.length > 0 ? `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})` : ''

const fill = ({ type }: GraphQLArgument): unknown =>
  ({ PhoneNumber: '+96891000001', ID: '00000000-0000-0000-0000-000000000000' })[getNamedType(type).name] ??
  '1'

const operation = (schema: GraphQLSchema, root: string, field: Field, inner: string): string =>
  `${root} Q${declare(field)} { ${field.name}${apply(field)}${inner || (selectAll(schema, field.type, 2) ?? '')} }`

/** The same selection again and again, under one name or many. */
const repeatedSelections = (schema: GraphQLSchema, field: Field): [string, string][] => {
  const shown = selectAll(schema, field.type, 2)
  if (!shown) return []
  const leaf = shown.trim().slice(1, -1)
  return [
    ['repeated', ` {${leaf.repeat(20)} }`],
    ['wide', ` {${leaf} ${Array.from({ length: 900 }, (_, index) => `a${index}: __typename`).join(' ')} }`],
    ['many', ` {${leaf} ${'... { __typename } '.repeat(600)} }`],
    ['deep', ` {${'... { '.repeat(400)}${leaf}${' }'.repeat(400)} }`],
  ]
}

const attacksOnField = (schema: GraphQLSchema, root: string, field: Field, token: string): Named[] => {
  const required = Object.fromEntries(field.args.filter(isRequiredArgument).map(one => [one.name, fill(one)]))
  const send = (kind: string, query: string, variables: object): Named => [
    `${root} ${field.name}, ${kind}`,
    { token, raw: JSON.stringify({ query, variables }) },
  ]
  const query = operation(schema, root, field, '')
  return [
    ...field.args.flatMap(({ name }) =>
      SHAPES.map(([kind, value]) => send(`${kind} ${name}`, query, { ...required, [name]: value })),
    ),
    ...repeatedSelections(schema, field).map(([kind, inner]) =>
      send(kind, operation(schema, root, field, inner), required),
    ),
  ]
}

/** Every attack on every root field that is one request. */
export const attacksOnGraph = (schema: GraphQLSchema, token: string): Named[] =>
  [schema.getQueryType()!, schema.getMutationType()!].flatMap(type =>
    fieldsOf(type).flatMap(field => attacksOnField(schema, type.name.toLowerCase(), field, token)),
  )
