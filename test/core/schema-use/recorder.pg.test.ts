/** Record of what clients use of the schema: exact over retries, writers and hours, bounded, kept for its days. */
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createWatchdog } from '#core/async/watchdog.ts'
import { createLog } from '#core/observability/log.ts'
import { readHourlyUses, readUses } from '#core/schema-use/read.ts'
import { createSchemaUseRecorder, deleteExpiredUses } from '#core/schema-use/recorder.ts'
import { openTestApp, type TestApp } from '../../support/stack.ts'

let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp()
})
afterAll(() => opened[Symbol.asyncDispose]())

type Execute = TestApp['app']['db']['$executeRaw']

/** A recorder whose statements may be answered otherwise. */
const createRecorder = (change: (execute: () => Promise<number>) => Promise<number> = run => run()) => {
  const { db } = opened.app
  const execute = ((...given: Parameters<Execute>) => change(() => db.$executeRaw(...given))) as Execute
  return createSchemaUseRecorder({
    config: { readOnly: false, schemaUseDays: 90 },
    log: createLog('silent'),
    db: { $executeRaw: execute },
    watchdog: createWatchdog({ onLate: () => undefined } as never),
    metrics: { registry: new Registry() },
  })
}

const countsOf = async (client: string) =>
  Object.fromEntries(
    (await readUses(opened.app.db, { client })).map(({ coordinate, count }) => [coordinate, count]),
  )

const TEXT = ['Query.me', 'Client.id']

it('SCHEMA-10 MUST count each execution, text and variables', async () => {
  const recorder = createRecorder()
  for (let time = 0; time < 7; time += 1)
    recorder.record('s10', { text: TEXT, variables: time % 2 ? ['Kind.PAYMENT'] : [] })
  for (let text = 0; text < 1_500; text += 1) recorder.record('s10', { text: ['Query.me'], variables: [] })
  await recorder.stop()
  expect(await countsOf('s10')).toEqual({ 'Query.me': 1_507, 'Client.id': 7, 'Kind.PAYMENT': 3 })
})

it('SCHEMA-11 MUST count a batch once whose commit nothing confirmed, and lose none that failed', async () => {
  let attempts = 0
  const recorder = createRecorder(async run => {
    attempts += 1
    if (attempts === 2) throw new Error('the connection broke before')
    const written = await run()
    if (attempts === 1 || attempts === 3) throw new Error('the connection broke after')
    return written
  })
  recorder.record('s11', { text: TEXT, variables: [] })
  await recorder.idle()
  recorder.record('s11', { text: TEXT, variables: [] })
  for (let round = 0; round < 4; round += 1) await recorder.stop()
  expect(attempts).toBeGreaterThan(3)
  expect(await countsOf('s11')).toEqual({ 'Query.me': 2, 'Client.id': 2 })
})

it('SCHEMA-12 MUST add what several writers bring at once', async () => {
  const writers = Array.from({ length: 4 }, () => createRecorder())
  for (const writer of writers)
    for (let time = 0; time < 50; time += 1) writer.record('s12', { text: TEXT, variables: [] })
  await Promise.all(writers.map(writer => writer.stop()))
  expect(await countsOf('s12')).toEqual({ 'Query.me': 200, 'Client.id': 200 })
})

it('SCHEMA-13 MUST tell hours apart, and keep them for their days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 100 * 86_400_000 })
  const began = Math.floor(Date.now() / 3_600_000) * 3_600_000
  try {
    const recorder = createRecorder()
    vi.setSystemTime(began + 3_599_999)
    recorder.record('s13', { text: TEXT, variables: [] })
    vi.setSystemTime(began + 3_600_000)
    recorder.record('s13', { text: TEXT, variables: [] })
    recorder.record('s13', { text: TEXT, variables: [] })
    vi.useRealTimers()
    await recorder.stop()
  } finally {
    vi.useRealTimers()
  }
  const rows = await readHourlyUses(opened.app.db, { client: 's13', coordinates: ['Query.me'] })
  expect(rows.map(({ hour, count, lastAt }) => [hour.getTime(), count, lastAt.getTime()])).toEqual([
    [began, 1, began + 3_599_999],
    [began + 3_600_000, 2, began + 3_600_000],
  ])
  expect(await deleteExpiredUses(opened.app.db, 101)).toBe(0)
  expect(await deleteExpiredUses(opened.app.db, 90)).toBe(4)
  expect(await countsOf('s13')).toEqual({})
})

it('SCHEMA-14 MUST hold no more than fits while the database is away, and say how much it lost', async () => {
  const registry = new Registry()
  const recorder = createSchemaUseRecorder({
    config: { readOnly: false, schemaUseDays: 90 },
    log: createLog('silent'),
    db: { $executeRaw: async () => Promise.reject(new Error('away')) },
    watchdog: createWatchdog({ onLate: () => undefined } as never),
    metrics: { registry },
  })
  for (let one = 0; one < 100_010; one += 1)
    recorder.record('s14', { text: [], variables: [`Query.f${one}`] })
  const metrics = await registry.metrics()
  expect(metrics).toContain('schema_use_waiting 100000')
  expect(metrics).toContain('schema_use_lost_total 10')
  await recorder.stop()
})

it('SCHEMA-15 MUST say of batches that could not be written that they wait, and at a stop that they are lost', async () => {
  const registry = new Registry()
  const lines: { msg: string; lost?: number }[] = []
  const recorder = createSchemaUseRecorder({
    config: { readOnly: false, schemaUseDays: 90 },
    log: createLog('error', { write: line => void lines.push(JSON.parse(line)) }),
    db: { $executeRaw: async () => Promise.reject(new Error('away')) },
    watchdog: createWatchdog({ onLate: () => undefined } as never),
    metrics: { registry },
  })
  recorder.record('s15', { text: TEXT, variables: [] })
  await recorder.stop()
  expect(lines.find(({ msg }) => msg === 'the last uses of the schema were not recorded')?.lost).toBe(2)
  expect(await registry.metrics()).toContain('schema_use_waiting 2')
})
