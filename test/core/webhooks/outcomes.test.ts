/** Health of endpoints: attempts are counted as if each were by itself, however they share batches. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#core/values/id.ts'
import { FAILING_AFTER } from '#core/webhooks/health-record.ts'
import { type AttemptOutcome, createAttemptRecorder } from '#core/webhooks/outcomes.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
})
afterAll(() => opened[Symbol.asyncDispose]())

const CLIENT = 'recorded'

const outcomeOf = (origin: string, succeeded: boolean): AttemptOutcome => ({
  ...{ id: newId(), clientId: CLIENT, origin, lease: new Date(), counts: true },
  ...{ status: succeeded ? 'DELIVERED' : 'PENDING', lastStatus: succeeded ? 204 : 500, lastError: null },
  waitMs: succeeded ? null : 1_000,
})

const openRecorder = () => {
  const { log, db, watchdog } = opened.app
  return createAttemptRecorder({ log, db, watchdog, clockOffsetMs: () => 0 })
}

/** One without a row has always been well. */
const healthOf = async (origin: string) => {
  const found = await opened.app.db.endpointHealthRow.findMany({ where: { clientId: CLIENT, origin } })
  const { failures, health } = found[0] ?? { failures: 0, health: 'HEALTHY' }
  return [failures, health]
}

/** Failures since the last success. */
const failuresAfter = (attempts: string) => attempts.length - 1 - attempts.lastIndexOf('+')

it.each(['-+', '+-', '--+', '-+-', '---+', '---', '+-+--', '+'])(
  'HEALTH-20 attempts %s that end together MUST count in their order',
  async attempts => {
    const record = openRecorder()
    const origin = `https://together-${[...attempts].map(one => (one === '+' ? 'p' : 'm')).join('')}.example`
    await Promise.all([...attempts].map(one => record(outcomeOf(origin, one === '+'))))
    const failures = failuresAfter(attempts)
    expect(await healthOf(origin)).toEqual([failures, failures >= FAILING_AFTER ? 'FAILING' : 'HEALTHY'])
  },
)

it('HEALTH-21 a success that is recorded while failures are being counted MUST end them', async () => {
  const record = openRecorder()
  const origin = 'https://overlapping.example'
  const failed = record(outcomeOf(origin, false))
  // Its batch is under way, so that the next attempt is another one.
  await Promise.resolve().then(() => undefined)
  await Promise.all([failed, record(outcomeOf(origin, true))])
  expect(await healthOf(origin)).toEqual([0, 'HEALTHY'])
})

it('HEALTH-22 a success of an endpoint that another process saw failing MUST end its failures', async () => {
  const origin = 'https://elsewhere.example'
  const since = new Date()
  await opened.app.db.endpointHealthRow.create({
    data: { clientId: CLIENT, origin, health: 'FAILING', since, failures: 5 },
  })
  await openRecorder()(outcomeOf(origin, true))
  expect(await healthOf(origin)).toEqual([0, 'HEALTHY'])
})

it('HEALTH-23 what is not counted MUST say nothing of the endpoint', async () => {
  const origin = 'https://interrupted.example'
  await openRecorder()({ ...outcomeOf(origin, false), counts: false })
  expect(await healthOf(origin)).toEqual([0, 'HEALTHY'])
})
