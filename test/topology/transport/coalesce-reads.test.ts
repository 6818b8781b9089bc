/** Identical reads in flight are one call, among those who see the same, each with its own copy and its own deadline. */
import { describe, expect, it } from 'vitest'
import type { Principal } from '#core/access/principal.ts'
import { ask, type Call, codesOf, log, principalOf } from '#test/support/fetches.ts'
import { type Answer, json, startInstance } from '#test/support/http-instance.ts'
import { upstreamsOver } from '#test/topology/upstream/support.ts'
import { createRemoteSource } from '#topology/transport/data-source.ts'

/** A subgraph that responds when the test has it respond, and the source to it. */
const stage = async () => {
  const instance = await startInstance()
  const upstreams = upstreamsOver([instance])
  const waiting: (() => void)[] = []
  const hold =
    (answer: Answer): Answer =>
    (response, request) =>
      void waiting.push(() => answer(response, request))
  instance.answer = hold(json({ data: { rewards: [{ points: 1 }] } }))
  return {
    instance,
    source: createRemoteSource(upstreams.of('loyalty')!, upstreams, log),
    hold,
    release: () => {
      for (const answer of waiting.splice(0)) answer()
    },
    async [Symbol.asyncDispose]() {
      await instance[Symbol.asyncDispose]()
      await upstreams.close()
    },
  }
}

const OF_ENTITIES =
  'query($representations:[_Any!]!){_entities(representations:$representations){...on A{points}}}'
const ENTITIES = { query: OF_ENTITIES, variables: { representations: [{ __typename: 'A', id: 1 }] } }

/** Root fields, by a client whose variable has the name that entity fetches have. */
const named = (principal: Principal, representations: unknown): Call => ({
  principal,
  query: 'query($representations:[Int]="{_entities}"){me{id}}',
  variables: { representations },
})

/** Representations of these places, the first of them for each. */
const distinctOf = (indexes: readonly number[], isRead: boolean): Call['distinct'] => ({
  representations: ENTITIES.variables.representations,
  indexes,
  byText: new Map([['A1', 0]]),
  isRead,
  family: undefined,
})

const ENTITY = json({ data: { _entities: [{ points: 1 }] } })

/** Fetch of the same entities as the planner names it, by its number in the plan. */
const planned = (name: string): Call => ({
  ...ENTITIES,
  operationName: name,
  query: OF_ENTITIES.replace('query', `query ${name}`),
})

/** Number of calls of two operations, the second sent while the first is in flight. */
const callsFor = async (first: Call, second: Call) => {
  await using it = await stage()
  const answer = first.query?.includes('_entities(') ? ENTITY : json({ data: {} })
  it.instance.answer = it.hold(answer)
  const both = [ask(it.source, first)]
  await it.instance.count(1)
  both.push(ask(it.source, second))
  it.instance.answer = answer
  it.release()
  await Promise.all(both)
  return it.instance.requests.length
}

const as = (principal: Principal, call: Call = {}): Call => ({ ...call, principal })

describe('two identical reads', () => {
  it.each<[string, number, Call, Call]>([
    ['of one client', 1, as(principalOf('a')), as(principalOf('a'))],
    ['of two portals, about entities', 1, as(principalOf('a'), ENTITIES), as(principalOf('b'), ENTITIES)],
    ['of one client, by two names', 1, planned('Q__loyalty__1'), planned('Q__loyalty__2')],
    ['of one client, with and without a name', 1, planned('Q__loyalty__1'), ENTITIES],
    ['of two portals, at the root, where `me` may be', 2, as(principalOf('a')), as(principalOf('b'))],
    [
      'of two portals, with a number as $representations',
      2,
      named(principalOf('a'), 1),
      named(principalOf('b'), 1),
    ],
    [
      'of two portals, with a list as $representations',
      2,
      named(principalOf('a'), [1]),
      named(principalOf('b'), [1]),
    ],
    [
      'of a portal and an analyst',
      2,
      as(principalOf('a'), ENTITIES),
      as(principalOf('a', 'analyst'), ENTITIES),
    ],
    [
      'of two partners',
      2,
      as(principalOf('a', 'partner'), ENTITIES),
      as(principalOf('b', 'partner'), ENTITIES),
    ],
    [
      'of two bound numbers',
      2,
      as(principalOf('a', 'portal', '1'), ENTITIES),
      as(principalOf('a', 'portal', '2'), ENTITIES),
    ],
    ['with other variables', 2, { variables: { n: 1 } }, { variables: { n: 2 } }],
    ['with other texts', 2, { query: '{a}' }, { query: '{b}' }],
    ['of which one follows a mutation', 2, {}, { within: 'mutation' }],
    ['that are mutations', 2, { query: 'mutation{a}' }, { query: 'mutation{a}' }],
  ])('SHR-01 %s MUST come to %i call(s)', async (_, calls, first, second) => {
    expect(await callsFor(first, second)).toBe(calls)
  })

  it('SHR-02 MUST each get an object of their own', async () => {
    await using it = await stage()
    const both = [ask(it.source), ask(it.source)]
    await it.instance.count(1)
    it.release()
    const [one, other] = await Promise.all(both)
    expect(it.instance.requests).toHaveLength(1)
    Object.assign((one!.data!['rewards'] as object[])[0]!, { points: 2 })
    expect(other).toEqual({ data: { rewards: [{ points: 1 }] } })
  })

  it('SHR-04 MUST share an object among those who only read it, and with nobody who may change it', async () => {
    await using it = await stage()
    it.instance.answer = it.hold(ENTITY)
    const read: Call = { ...ENTITIES, distinct: distinctOf([0], true) }
    const all = [ask(it.source, read), ask(it.source, ENTITIES), ask(it.source, read)]
    await it.instance.count(1)
    it.release()
    const [one, changed, other] = (await Promise.all(all)).map(({ data }) => data!['_entities'] as object[])
    expect(it.instance.requests).toHaveLength(1)
    Object.assign(changed![0]!, { points: 2 })
    expect(one![0]).toBe(other![0])
    expect(one).toEqual([{ points: 1 }])
  })

  it('SHR-03 MUST be two calls when one follows the other', async () => {
    await using it = await stage()
    it.instance.answer = json({ data: {} })
    await ask(it.source)
    await ask(it.source)
    expect(it.instance.requests).toHaveLength(2)
  })

  it('SHR-04 MUST be two calls when a write was answered between them', async () => {
    await using it = await stage()
    const { instance, source, hold, release } = it
    const before = ask(source)
    await instance.count(1)
    instance.answer = json({ data: { posted: true } })
    await ask(source, { query: 'mutation{post}' })
    instance.answer = hold(json({ data: { rewards: [] } }))
    const after = ask(source)
    await instance.count(3)
    release()
    expect((await before).data).toEqual({ rewards: [{ points: 1 }] })
    expect((await after).data).toEqual({ rewards: [] })
  })
})

describe('who takes part', () => {
  it('SHR-10 MUST have its own deadline, which ends nothing for the others', async () => {
    await using it = await stage()
    const hurried = ask(it.source, { timeoutMs: 30 })
    const patient = ask(it.source)
    expect(codesOf(await hurried)).toEqual(['REQUEST_TIMEOUT_EXCEEDED'])
    it.release()
    expect((await patient).data).toEqual({ rewards: [{ points: 1 }] })
    expect(it.instance.requests).toHaveLength(1)
  })

  it('SHR-11 MUST end the call when it leaves as the last', async () => {
    await using it = await stage()
    const closed = Promise.withResolvers<void>()
    it.instance.answer = response => void response.once('close', closed.resolve)
    const results = await Promise.all([ask(it.source, { timeoutMs: 60 }), ask(it.source, { timeoutMs: 70 })])
    expect(results.map(codesOf)).toEqual([['REQUEST_TIMEOUT_EXCEEDED'], ['REQUEST_TIMEOUT_EXCEEDED']])
    await closed.promise
    expect(it.instance.requests).toHaveLength(1)
  })

  it.each(['UNAUTHORIZED', 'PERMISSION_DENIED', 'REQUEST_TIMEOUT_EXCEEDED'])(
    'SHR-12 MUST ask for itself when the first met what concerns it alone: %s',
    async code => {
      await using it = await stage()
      const { instance, source, hold, release } = it
      instance.answer = hold(json({ errors: [{ message: 'no', extensions: { code } }] }, 401))
      const both = [principalOf('a'), principalOf('b')].map(principal =>
        ask(source, { ...ENTITIES, principal }),
      )
      await instance.count(1)
      instance.answer = ENTITY
      release()
      const [first, second] = await Promise.all(both)
      expect(codesOf(first!)).toEqual([code])
      expect(second).toEqual({ data: { _entities: [{ points: 1 }] } })
      expect(instance.requests.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer of a',
        'Bearer of b',
      ])
    },
  )

  it('SHR-13 MUST share a failure that concerns everyone', async () => {
    await using it = await stage()
    it.instance.answer = it.hold(json({ errors: [{ message: 'x', extensions: { code: 'SERVER_ERROR' } }] }))
    const both = [ask(it.source), ask(it.source)]
    await it.instance.count(1)
    it.release()
    expect((await Promise.all(both)).map(codesOf)).toEqual([['SERVER_ERROR'], ['SERVER_ERROR']])
    expect(it.instance.requests).toHaveLength(1)
  })
})
