/** Coordinates of the schema that operations use, in their text and in their variables. */
import { buildSchema, parse } from 'graphql'
import { expect, it } from 'vitest'
import { createUseOf } from '#core/schema-use/coordinates.ts'

const schema = buildSchema(`
  type Query { pets(filter: PetFilter, first: Int = 5, old: Boolean @deprecated(reason: "use first")): [Pet!]! now: String }
  interface Pet { id: ID! name: String }
  type Dog implements Pet { id: ID! name: String barks: Boolean @deprecated(reason: "use sounds") sounds: [Sound!] }
  type Cat implements Pet { id: ID! name: String }
  enum Sound { BARK MEOW @deprecated(reason: "cats are silent") }
  input PetFilter { sound: Sound, not: PetFilter, ids: [ID!], age: Int @deprecated(reason: "nobody knows it") }
`)

const useOf = createUseOf()
const use = (text: string, variables?: Record<string, unknown>, operationName?: string) =>
  useOf({ schema, document: parse(text), variables, operationName })

it.each([
  ['{ now }', ['Query.now']],
  ['{ __typename now }', ['Query.now']],
  ['{ a: now b: now }', ['Query.now']],
  ['{ pets { id } }', ['Query.pets', 'Pet.id']],
  ['{ pets(first: 2) { id } }', ['Query.pets', 'Query.pets(first:)', 'Pet.id']],
  [
    'query($n: Int) { pets(first: $n) { ...on Dog { sounds } ...F } } fragment F on Pet { name }',
    ['Query.pets', 'Query.pets(first:)', 'Dog.sounds', 'Pet.name'],
  ],
  [
    '{ pets(filter: { not: { sound: BARK } }) { id } }',
    ['Query.pets', 'Query.pets(filter:)', 'PetFilter.not', 'PetFilter.sound', 'Sound.BARK', 'Pet.id'],
  ],
  ['{ now @skip(if: true) }', ['Query.now']],
])('SCHEMA-01 MUST be found in the text %s', (text, coordinates) => {
  expect(use(text)?.text).toEqual(coordinates)
})

it('SCHEMA-02 MUST be found in variables, apart from those of the text', () => {
  const text = 'query($f: PetFilter) { pets(filter: $f) { id } }'
  const found = use(text, { f: { ids: ['1'], not: { sound: 'BARK', not: null } } })
  expect(found?.variables).toEqual(['PetFilter.ids', 'PetFilter.not', 'PetFilter.sound', 'Sound.BARK'])
  expect(use(text, {})?.variables).toEqual([])
  expect(use(text)?.variables).toEqual([])
  expect(use(text, { f: { unknown: 1, sound: 7 } })?.variables).toEqual(['PetFilter.sound'])
})

it('SCHEMA-03 MUST be those of the operation that is executed', () => {
  const text = 'query A { now } query B { pets { id } }'
  expect(use(text, {}, 'A')?.text).toEqual(['Query.now'])
  expect(use(text, {}, 'B')?.text).toEqual(['Query.pets', 'Pet.id'])
  expect(use(text)).toBeUndefined()
})

it('SCHEMA-04 MUST be the same list for each execution of a document', () => {
  const document = parse('query($f: PetFilter) { pets(filter: $f) { id } }')
  const [one, other] = [{ f: { ids: [] } }, { f: null }].map(variables =>
    useOf({ schema, document, variables }),
  )
  expect(one!.text).toBe(other!.text)
})

it('SCHEMA-05 MUST say what is deprecated, each once, with its reason', () => {
  const text = 'query($f: PetFilter) { pets(filter: $f, old: true) { ...on Dog { barks again: barks } } }'
  const variables = { f: { age: 3, sound: 'MEOW', not: { sound: 'MEOW' } } }
  expect(use(text, variables)?.deprecations).toEqual([
    { coordinate: 'Query.pets(old:)', reason: 'use first' },
    { coordinate: 'Dog.barks', reason: 'use sounds' },
    { coordinate: 'PetFilter.age', reason: 'nobody knows it' },
    { coordinate: 'Sound.MEOW', reason: 'cats are silent' },
  ])
  expect(use('{ now }')?.deprecations).toEqual([])
})
