/** Records of who looked at whom on their way to the database: bounded, never left out, written before a stop. */
import { Registry } from 'prom-client'
import { expect, it, vi } from 'vitest'
import type { Rounds } from '#core/async/watchdog.ts'
import { AccessRecorder, type ReadingRequest } from '#core/audit/access-recorder.ts'
import { createLog } from '#core/observability/log.ts'

const ROUNDS: Rounds = {
  limitMs: 1_000,
  begin: () => undefined,
  progress: () => undefined,
  end: () => undefined,
}

/** A recorder over a table of its own, which can be taken away. */
const start = ({ readOnly = false } = {}) => {
  const [written, lines]: [string[], string[]] = [[], []]
  const table = { isThere: true }
  const registry = new Registry()
  const recorder = new AccessRecorder({
    config: { readOnly },
    log: createLog('info', { write: line => void lines.push(line) }),
    watchdog: { over: () => ROUNDS, states: () => [] },
    metrics: { registry },
    db: {
      async $executeRaw(_: unknown, ...values: unknown[]) {
        if (!table.isThere) throw new Error('no database')
        written.push(...(values[3] as string[]))
        return written.length
      },
    },
  })
  return { recorder, written, lines, table, registry }
}

const REQUEST: ReadingRequest = {
  at: Date.now(),
  correlator: 'c-1',
  operation: 'Desk',
  user: 'salma',
  principal: { clientId: 'portal' },
}

it('RECORDER-01 MUST record a subject once for each request', async () => {
  const { recorder, written } = start()
  const [one, other] = [recorder.trailOf(REQUEST), recorder.trailOf(REQUEST)]
  for (const trail of [one, one, other]) trail.record('100001')
  one.record('100002')
  await recorder.idle()
  expect(written).toEqual(['100001', '100001', '100002'])
  await recorder.stop()
})

it('RECORDER-02 MUST keep what the database does not take, and write it when it does', async () => {
  const { recorder, written, table, registry } = start()
  table.isThere = false
  recorder.trailOf(REQUEST).record('100001')
  await recorder.idle()
  expect(written).toEqual([])
  expect(await registry.getSingleMetricAsString('access_records_waiting')).toMatch(/waiting 1$/m)
  table.isThere = true
  await recorder.idle()
  expect(written).toEqual(['100001'])
  await recorder.stop()
})

it('RECORDER-06 MUST cut texts that no index would take', async () => {
  const { recorder, written } = start()
  recorder.trailOf(REQUEST).record('9'.repeat(5_000))
  await recorder.idle()
  expect(written).toEqual(['9'.repeat(256)])
  await recorder.stop()
})

it('RECORDER-03 MUST show nobody rather than leave out a record, once as many wait as may', async () => {
  const { recorder, written, table, lines } = start()
  table.isThere = false
  const trail = recorder.trailOf(REQUEST)
  for (let number = 0; number < 100_000; number++) trail.record(`${number}`)
  for (let time = 0; time < 2; time++)
    expect(() => trail.record('one more')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }))
  expect(lines.filter(line => line.includes('no subscriber is shown'))).toHaveLength(1)
  table.isThere = true
  await recorder.idle()
  trail.record('one more')
  await recorder.stop()
  expect(written).toHaveLength(100_001)
})

it('RECORDER-04 MUST write what waits when it stops, and say how many are lost where it cannot', async () => {
  const first = start()
  first.recorder.trailOf(REQUEST).record('100001')
  await first.recorder.stop()
  expect(first.written).toEqual(['100001'])
  const second = start()
  second.table.isThere = false
  second.recorder.trailOf(REQUEST).record('100001')
  await second.recorder.stop()
  expect(JSON.parse(second.lines.at(-1)!)).toMatchObject({ level: 50, lost: 1 })
})

it('RECORDER-05 MUST write to the log of a process that only reads, a line for each, which no name can forge', async () => {
  const { recorder, lines } = start({ readOnly: true })
  recorder.trailOf({ ...REQUEST, user: 'x"}\n{"level":60' }).record('+96891000001')
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 5_000 })
  expect(lines[1]!.trimEnd()).not.toContain('\n')
  expect(JSON.parse(lines[1]!)).toMatchObject({
    access: { clientId: 'portal', user: 'x"}\n{"level":60', subject: '+96891000001', operation: 'Desk' },
  })
  await recorder.stop()
})
