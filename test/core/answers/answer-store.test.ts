/** Stored answers: which are given again, and which are made anew. */
import { Registry } from 'prom-client'
import { afterEach, expect, it, vi } from 'vitest'
import { AnswerStore } from '#core/answers/answer-store.ts'
import { createAnswerMetrics } from '#core/answers/metrics.ts'
import { CollectedTrail } from '#core/audit/access-recorder.ts'
import { Moments } from '#core/data/moments.ts'

const opened: Moments[] = []
afterEach(() => Promise.all(opened.splice(0).map(one => one.close())))

/** A store over a database whose snapshot is set. */
const open = async (maxBytes = 100_000) => {
  const database = { snapshot: '10:10:', isThere: true, asked: 0 }
  const need = () => {
    if (!database.isThere) throw new Error('no database')
  }
  const moments = new Moments(async () => {
    need()
    return {
      async ask() {
        database.asked += 1
        need()
        return database.snapshot
      },
      close: () => undefined,
    }
  })
  opened.push(moments)
  moments.start()
  await vi.waitFor(() => expect(moments.areKnown).toBe(true))
  const registry = new Registry()
  const store = new AnswerStore(moments, maxBytes, createAnswerMetrics(registry))
  let made = 0
  const trails: CollectedTrail[] = []
  /** Asks; the answer is a number that no other answer has. */
  const ask = (key = 'a', options: { during?: () => Promise<void> | void; bytes?: number | null } = {}) => {
    const trail = new CollectedTrail()
    trails.push(trail)
    return store.answer({
      key,
      trail,
      async make() {
        made += 1
        const answer = made
        trail.record(`of ${key}`)
        await options.during?.()
        return answer
      },
      bytesOf: () => (options.bytes === null ? undefined : (options.bytes ?? 100)),
    })
  }
  /** Asks until an answer is stored; gives it. */
  const store3 = async (key = 'a') => {
    await ask(key)
    const answer = await ask(key)
    expect(await ask(key)).toBe(answer)
    return answer
  }
  return { database, moments, registry, store: store3, ask, trails }
}

it('ANSWER-01 MUST give the answer of before while nothing is committed, and make another once something is', async () => {
  const { database, store, ask } = await open()
  const answer = await store()
  expect(await ask()).toBe(answer)
  database.snapshot = '11:11:'
  const next = await ask()
  expect(next).not.toBe(answer)
  expect(await ask()).toBe(next)
})

it('ANSWER-02 MUST ask the database nothing for a question that does not come again', async () => {
  const { database, ask } = await open()
  for (const key of ['a', 'b', 'c']) await ask(key)
  expect(database.asked).toBe(0)
})

it('ANSWER-03 MUST not keep an answer during which something was committed', async () => {
  const { database, ask } = await open()
  await ask()
  const commit = () => {
    database.snapshot = '11:11:'
  }
  const torn = await ask('a', { during: commit })
  expect(await ask()).not.toBe(torn)
})

it('ANSWER-04 MUST record whom a repeated answer shows', async () => {
  const { store, ask, trails } = await open()
  await store()
  await ask()
  expect([...trails.at(-1)!.subjects]).toEqual(['of a'])
})

it('ANSWER-05 MUST not give an answer to others that belongs to its request', async () => {
  const { ask } = await open()
  const answers = [await ask('a', { bytes: null }), await ask('a', { bytes: null }), await ask('a')]
  expect(new Set(answers).size).toBe(3)
})

it('ANSWER-06 MUST stay within its bytes, and keep none that is large', async () => {
  const { registry, store, ask } = await open(10_000)
  for (const key of [
    'a',
    'b',
    'c',
    'd',
    'e',
    'f',
    'g',
    'h',
    'i',
    'j',
    'k',
    'l',
    'm',
    'n',
    'o',
    'p',
    'q',
    'r',
  ])
    await store(key)
  const text = await registry.getSingleMetricAsString('answers_bytes')
  const bytes = Number(/answers_bytes (\d+)/.exec(text)?.[1])
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThanOrEqual(10_000)
  await ask('z')
  const large = await ask('z', { bytes: 5_000 })
  expect(await ask('z')).not.toBe(large)
})

it('ANSWER-07 MUST share one execution among those who ask at the same moment, and no other', async () => {
  const { ask } = await open()
  await ask()
  const gate = Promise.withResolvers<void>()
  const together = [1, 2, 3].map(() => ask('a', { during: () => gate.promise }))
  await new Promise(setImmediate)
  const later = ask()
  gate.resolve()
  const [first, ...others] = await Promise.all(together)
  expect(others).toEqual([first, first])
  expect(await later).not.toBe(first)
})

it('ANSWER-08 MUST ask ever less where answers do not last', async () => {
  const { database, ask } = await open()
  await ask()
  for (let round = 0; round < 200; round += 1) {
    database.snapshot = `${20 + round}:${20 + round}:`
    await ask()
  }
  expect(database.asked).toBeLessThan(40)
})

it('ANSWER-09 MUST ignore records, by the connection that was there when they were begun', async () => {
  const { database, moments, store, ask } = await open()
  const answer = await store()
  const ignore = moments.ignoring()!
  database.snapshot = '11:11:'
  ignore('10')
  expect(await ask()).toBe(answer)
  database.isThere = false
  await ask()
  database.isThere = true
  await vi.waitFor(() => expect(moments.areKnown).toBe(true))
  const next = await store('b')
  ignore('11')
  database.snapshot = '12:12:'
  expect(await ask('b')).not.toBe(next)
})

it('ANSWER-10 MUST make every answer while the database does not tell, and forget what it knew', async () => {
  const { database, moments, store, ask } = await open()
  const answer = await store()
  database.isThere = false
  expect(await ask()).not.toBe(answer)
  expect(moments.areKnown).toBe(false)
  expect(await ask()).not.toBe(answer)
  database.isThere = true
  await vi.waitFor(() => expect(moments.areKnown).toBe(true))
  expect(await ask()).not.toBe(answer)
})
