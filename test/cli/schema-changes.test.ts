/** Changes of a schema, and the clients that each of them breaks. */
import { buildSchema } from 'graphql'
import { expect, it } from 'vitest'
import { breakingChanges, breaksSomething } from '#cli/schema-changes.ts'

const SDL = `
  type Query { pets(filter: Filter, first: Int): [Pet!]! }
  type Pet { id: ID!, name: String!, sound: Sound }
  enum Sound { BARK MEOW }
  input Filter { sound: Sound, name: String }
`

const at = (day: number) => new Date(Date.UTC(2026, 10, day))
const use = (coordinate: string, clientId: string, count = 1, day = 1) => ({
  coordinate,
  clientId,
  count,
  lastAt: at(day),
})

const USES = [
  use('Query.pets', 'fields', 9, 3),
  use('Query.pets', 'arguments', 5, 4),
  use('Query.pets(first:)', 'arguments', 4, 2),
  use('Pet.name', 'fields', 9, 3),
  use('Filter.sound', 'inputs', 2),
  use('Filter.name', 'inputs', 3, 2),
  use('Sound.MEOW', 'inputs', 1),
]

it.each<[string, string, string, string[]]>([
  ['a field that goes', 'name: String!, sound', 'sound', ['fields']],
  ['a field of another type', 'name: String!', 'name: Int!', ['fields']],
  ['a field that nobody uses', ', sound: Sound }', '}', []],
  ['an argument that goes', ', first: Int', '', ['arguments']],
  ['an argument that must be given', 'first: Int)', 'first: Int!)', ['fields', 'arguments']],
  ['a new argument that must be given', 'first: Int)', 'first: Int, by: Int!)', ['fields', 'arguments']],
  ['a field of an input that goes', ', name: String }', '}', ['inputs']],
  ['a new field of an input that must be given', 'name: String }', 'name: String, by: Int! }', ['inputs']],
  ['a value that goes', 'BARK MEOW', 'BARK', ['inputs']],
  ['a value that nobody uses', 'BARK MEOW', 'MEOW', []],
  ['a type that goes', 'type Pet {', 'type Animal {', ['fields', 'arguments']],
])('SCHEMA-30 MUST name the clients of %s', async (_, before, after, clients) => {
  const changed = SDL.replace(before, after)
  expect(changed).not.toBe(SDL)
  const changes = await breakingChanges(
    buildSchema(SDL),
    buildSchema(changed.includes('Animal') ? changed.replace('[Pet!]!', '[Animal!]!') : changed),
    USES,
  )
  expect(changes.length).toBeGreaterThan(0)
  const broken = changes.flatMap(change => change.clients!.map(({ clientId }) => clientId))
  expect(new Set(broken)).toEqual(new Set(clients))
  expect(breaksSomething(changes)).toBe(clients.length > 0)
})

it('SCHEMA-31 MUST say how often and when last, the most frequent client first, over all parts that are touched', async () => {
  const changed = SDL.replace('name: String }', 'name: String, by: Int! }').replace(
    'first: Int)',
    'first: Int!)',
  )
  const changes = await breakingChanges(buildSchema(SDL), buildSchema(changed), USES)
  expect(changes.map(({ path, clients }) => [path, clients])).toEqual([
    [
      'Query.pets.first',
      [
        { clientId: 'fields', count: 9, lastAt: at(3) },
        { clientId: 'arguments', count: 5, lastAt: at(4) },
      ],
    ],
    ['Filter.by', [{ clientId: 'inputs', count: 3, lastAt: at(2) }]],
  ])
})

it('SCHEMA-32 MUST name no clients where uses were not looked at, and count every change', async () => {
  const changes = await breakingChanges(buildSchema(SDL), buildSchema(SDL.replace('BARK MEOW', 'MEOW')))
  expect(changes.map(({ clients }) => clients)).toEqual([undefined])
  expect(breaksSomething(changes)).toBe(true)
})

it('SCHEMA-33 MUST take what is added for no break', async () => {
  const more = SDL.replace('BARK MEOW', 'BARK MEOW CHIRP').replace('id: ID!', 'id: ID!, age: Int')
  const changes = await breakingChanges(buildSchema(SDL), buildSchema(more), USES)
  expect([changes, breaksSomething(changes)]).toEqual([[], false])
})
