/** The nemesis of `prove/`: lanes that overlap, faults that do not, changes that are stopped on the way, and processes that are renewed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { History } from '#prove/history/history.ts'
import type { FaultLine } from '#prove/history/lines.ts'
import { Recorder } from '#prove/history/recorder.ts'
import { type Fault, oneAtATime } from '#prove/nemesis/fault.ts'
import { Nemesis } from '#prove/nemesis/nemesis.ts'
import { changeKey } from '#prove/nemesis/upkeep.ts'
import { again } from '#prove/stage/again.ts'
import { Process, type Renewal, stablePort } from '#prove/stage/process.ts'
import type { Stage } from '#prove/stage/stage.ts'
import { seeded } from '#test/core/values/random.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'prove-nemesis-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Faults that hold for a moment, and how many held at most. */
const counted = () => {
  const seen = { now: 0, most: 0 }
  const fault = (name: string): Fault => ({
    name,
    weight: 1,
    longestMs: 1,
    isPossible: () => true,
    begin: async () => {
      seen.most = Math.max(seen.most, ++seen.now)
      return { target: name, end: async () => void seen.now-- }
    },
  })
  return { seen, faults: ['one', 'two', 'three'].map(fault) }
}

const makeFaults = async (faults: readonly Fault[], lanes: number, most: number): Promise<FaultLine[]> => {
  const file = join(folder(), 'history.ndjson')
  const recorder = new Recorder(file)
  recorder.write({ t: 'run', at: 0, seed: 1, topology: 'postgres', behind: 'ledger', minutes: 1 })
  const nemesis = new Nemesis({
    stage: {} as Stage,
    recorder,
    faults,
    lanes: Array.from({ length: lanes }, (_, lane) => {
      const random = seeded(lane + 1)
      // Pauses are as short as may be.
      return (below: number) => (below === 2_500 ? 0 : random(below))
    }),
    untilMs: Number.POSITIVE_INFINITY,
    most,
  })
  await nemesis.run()
  await recorder.close()
  return [...(await History.read(file)).faults]
}

it('PROVE-NEMESIS-01 MUST make as many faults as are wanted, those of different lanes at once, each undone', async () => {
  const { seen, faults } = counted()
  const lines = await makeFaults(faults, 4, 8)
  expect(lines.filter(({ phase }) => phase === 'begin').length).toBe(8)
  expect(lines.filter(({ phase }) => phase === 'end').length).toBe(8)
  expect(seen.most).toBeGreaterThanOrEqual(4)
  expect(seen.now).toBe(0)
})

it('PROVE-NEMESIS-02 MUST make faults one at a time that do not bear each other, after one that failed too', async () => {
  const { seen, faults } = counted()
  const failing: Fault = { ...faults[0]!, name: 'failing', begin: () => Promise.reject(new Error('no')) }
  const lines = await makeFaults(oneAtATime([...faults, failing]), 4, 8)
  expect(lines.filter(({ phase }) => phase !== 'begin').length).toBe(8)
  expect(lines.some(({ phase }) => phase === 'failed')).toBe(true)
  expect(seen).toEqual({ now: 0, most: 1 })
})

it('PROVE-NEMESIS-03 MUST begin a change of SECRETS_KEY that was stopped again with the same keys', async () => {
  const settings: Record<string, string> = { SECRETS_KEY: 'first' }
  const renewals: Record<string, string>[] = []
  const stage = {
    options: { topology: 'postgres' },
    servers: [{ renew: async ({ env }: Renewal) => void renewals.push({ ...env }) }],
    place: settings,
    set: (env: Record<string, string>) => void Object.assign(settings, env),
  } as unknown as Stage
  const stops = () => Promise.reject(new Error('killed'))
  await expect(changeKey(stage, stops, 0)).rejects.toThrow('killed')
  const after = settings['SECRETS_KEY']!
  expect(settings['SECRETS_KEY_ALSO']).toBe('first')
  renewals.length = 0
  await changeKey(stage, async () => undefined)
  expect(renewals).toEqual([
    { SECRETS_KEY: 'first', SECRETS_KEY_ALSO: after },
    { SECRETS_KEY: after, SECRETS_KEY_ALSO: 'first' },
    { SECRETS_KEY: after, SECRETS_KEY_ALSO: '' },
  ])
  renewals.length = 0
  await changeKey(stage, async () => undefined)
  expect(renewals[0]!['SECRETS_KEY']).toBe(after)
  expect([after, 'first']).not.toContain(renewals[0]!['SECRETS_KEY_ALSO'])
})

it('PROVE-NEMESIS-04 MUST try again what has failed, and give up after five times', async () => {
  let tries = 0
  await again(async () => {
    if (++tries < 3) throw new Error('not yet')
  }, 0)
  expect(tries).toBe(3)
  const never = () => {
    tries++
    return Promise.reject(new Error('never'))
  }
  await expect(again(never, 0)).rejects.toThrow('never')
  expect(tries).toBe(8)
})

it('PROVE-NEMESIS-05 MUST leave a process stopped while it is renewed, whatever else starts it', async () => {
  const server = new Process({
    name: 'listener',
    args: ['-e', 'net.createServer().listen(process.env.PORT, "127.0.0.1")'],
    env: {},
    logFile: join(folder(), 'listener.log'),
    port: await stablePort(),
  })
  onTestFinished(() => server.kill().then(() => undefined))
  await server.start()
  let other: Promise<void> | undefined
  let wasRunning: boolean | undefined
  await server.renew({
    env: { MORE: '1' },
    meanwhile: async () => {
      await server.kill()
      other = server.start()
      await new Promise(setImmediate)
      wasRunning = server.isRunning
    },
  })
  expect(wasRunning).toBe(false)
  await other
  expect(server.isRunning).toBe(true)
})

it('PROVE-NEMESIS-06 MUST start a process again that says that it cannot start yet, and note that', async () => {
  const place = folder()
  const script = `
    const file = ${JSON.stringify(join(place, 'tries'))}
    const tries = fs.existsSync(file) ? 1 : 0
    fs.writeFileSync(file, '')
    if (tries === 0) { console.log('The database is not there: no answer'); process.exit(1) }
    net.createServer().listen(process.env.PORT, '127.0.0.1')`
  const server = new Process({
    name: 'patient',
    args: ['-e', script],
    env: {},
    logFile: join(place, 'patient.log'),
    port: await stablePort(),
    notYet: /^The database is not there: .*$/m,
  })
  onTestFinished(() => server.kill().then(() => undefined))
  await server.start()
  expect(server.refusedStarts.map(({ text }) => text)).toEqual([
    'patient: The database is not there: no answer',
  ])
  expect(server.unexpected).toEqual([])
})
