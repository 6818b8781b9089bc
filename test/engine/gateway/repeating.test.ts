/** Entities that come back at each level are asked for once and answered as Apollo Gateway answers them, at each place. */
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BothWays, type Outcome, openBothWays } from './support/both-ways.ts'
import type { Answerer } from './support/mock-subgraphs.ts'
import { answerRepeating, repeatingSource, repeatingSupergraph } from './support/repeating-graph.ts'

let both: BothWays

beforeAll(async () => {
  both = await openBothWays(repeatingSupergraph(), repeatingSource)
})

afterAll(() => both[Symbol.asyncDispose]())

const NESTED = `
  fragment P on Person { id name age }
  fragment T on Thing { id label price parcel }
  { people { ...P posts { text author { ...P } about { ...T posts { id author { ...P posts { about { ...T } } } } } } }
    things { ...T posts { author { ...P } about { ...T } } } }`

const byMessage = (errors: Outcome['errors']) => errors?.toSorted()

/** Executes both ways; the sequence of errors is that of the responses, which differs with how many there are. */
const expectSame = async (text: string, answererFor: () => Answerer = () => answerRepeating) => {
  const operation = { document: parse(text), text }
  const byApollo = await both.byApollo(operation, answererFor())
  const compiled = await both.compiled(operation, answererFor())
  const comparable = ({ fetches: _, ...outcome }: Outcome) => ({
    ...outcome,
    errors: byMessage(outcome.errors),
  })
  expect(comparable(compiled)).toEqual(comparable(byApollo))
  return { byApollo, compiled }
}

/** Makes a subgraph answer this in place of its own answer, for its entity fetches of these numbers. */
const failing =
  (name: string, answer: object | Error, isMeant: (index: number) => boolean = () => true) =>
  (): Answerer => {
    let count = 0
    return async (subgraph, question) => {
      const isEntities = subgraph === name && question.query.includes('_entities')
      if (!isEntities || !isMeant(count++)) return answerRepeating(subgraph, question)
      if (answer instanceof Error) throw answer
      return JSON.stringify(answer)
    }
  }

describe('entities at many places', () => {
  it('REPEATING-01 MUST be answered the same, with fewer requests', async () => {
    const { byApollo, compiled } = await expectSame(NESTED)
    expect(compiled.data).toContain('"parcel":6')
    expect(compiled.fetches.length).toBeLessThan(byApollo.fetches.length)
    expect(new Set(compiled.fetches).size).toBe(compiled.fetches.length)
  })

  it('REPEATING-02 MUST have a null or an error at each of their places', async () => {
    const { compiled } = await expectSame(NESTED.replace('price', 'price left'))
    expect(compiled.errors!.length).toBeGreaterThan(5)
    expect(new Set(compiled.errors!.map(text => JSON.parse(text)[1].join())).size).toBe(
      compiled.errors!.length,
    )
    expect(compiled.data).toContain('"id":"cid","name":null')
  })

  it('REPEATING-03 MUST be different objects where a fetch above knows more of one of them', async () => {
    const { compiled } = await expectSame('{ people { posts { item { id label mark } } } }')
    const marks = compiled.data!.match(/"mark":"[^"]+"/g)
    expect(new Set(marks).size).toBe(5)
  })

  it('REPEATING-04 MUST keep the aliases and lists of each place', async () => {
    await expectSame(`{ people { tags posts { author { x: name tags } about { posts { author { x: age y: name tags } } } } }
      things { posts { author { name tags } } } }`)
  })

  it('REPEATING-05 MUST be answered the same under each condition', async () => {
    for (const [a, b] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ])
      await expectSame(`{ people { id posts @include(if: ${a}) { author { name age @skip(if: ${b}) } about { ...T } } }
        things { posts @skip(if: ${b}) { author { name age } about { ...T @include(if: ${a}) } } } }
        fragment T on Thing { label price parcel }`)
  })
})

describe('a subgraph that fails', () => {
  const DOWN = { errors: [{ message: 'down', extensions: { code: 'SERVICE_UNAVAILABLE' } }], data: null }
  const PARTLY = { data: { _entities: [{ name: 'x', age: 1 }] }, errors: [{ message: 'partly' }] }

  it.each([
    ['always', failing('people', DOWN)],
    ['without data', failing('stock', { errors: [{ message: 'down' }] })],
    ['by answers of another length', failing('people', { data: { _entities: [] } })],
    ['by entities that are none', failing('people', { data: { _entities: 'none' } })],
    ['with a part of the entities', failing('people', PARTLY)],
    ['and cannot be reached', failing('stock', new Error('broken'))],
  ])('REPEATING-10 MUST fail at each place as by Apollo Gateway: %s', async (_, answererFor) => {
    const { compiled } = await expectSame(NESTED, answererFor)
    expect(compiled.errors).not.toBeUndefined()
  })

  it.each([
    ['an error', DOWN],
    ['a broken connection', new Error('broken')],
  ])(
    'REPEATING-11 MUST be asked again by the next fetch, which takes no failure of another: %s',
    async (_, answer) => {
      const text = '{ people { posts { author { name age } } } things { posts { author { name age } } } }'
      const { compiled } = await expectSame(
        text,
        failing('people', answer, index => index === 0),
      )
      const asked = compiled.fetches.filter(
        fetch => fetch.startsWith('people') && fetch.includes('representations'),
      )
      expect(asked).toHaveLength(2)
      expect(compiled.data).toContain('"name":"ANN"')
      expect(compiled.data).toContain('"name":null')
    },
  )
})
