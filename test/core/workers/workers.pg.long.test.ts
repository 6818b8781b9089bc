/** `WORKERS`: processes at one address, one of which ends at a time; what the partner was answered is kept, and told again. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { createEmpty, type Scratch, SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { type SteadyLoad, startSteadyLoad, tokenAt } from '#test/support/steady-load.ts'

const LONG_MS = 180_000

let scratch: Scratch
let server: ServerProcess
let token: string
let load: SteadyLoad | undefined

/** Numbers of the processes that serve. */
const workers = (): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter(Boolean)

const metrics = async () => (await fetch(`${server.address}/metrics`)).text()

/** The workers that a metric has series of. */
const workersIn = (text: string) =>
  [...text.matchAll(/^partner_graph_info\{.*worker="(\d)"\}/gm)].map(([, worker]) => worker).sort()

const bothServe = () =>
  expect.poll(async () => workersIn(await metrics()), { timeout: 60_000 }).toEqual(['1', '2'])

/** Whether anything listens at an address. */
const reached = (address: string): Promise<boolean> =>
  fetch(`${address}/health/live`).then(
    response => response.ok,
    () => false,
  )

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const begin = (repeats: boolean) =>
  startSteadyLoad({ addresses: () => [server.address], token: async () => token, repeats, parallel: 8 })

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres')('workers on PostgreSQL', () => {
  beforeAll(async () => {
    scratch = await createEmpty()
    const env = { DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '1', WORKERS: '2', LOG_LEVEL: 'info' }
    server = await startProcess(env)
    token = await tokenAt(server.address)
  }, LONG_MS)
  afterAll(async () => {
    await load?.stop()
    await server?.stop()
    await scratch?.drop()
  }, LONG_MS)

  it(
    'WORKERS-01 MUST show the metrics of all workers at each, and share the requests out',
    async () => {
      load = begin(false)
      await load.more(60)
      await load.stop()
      expect(load.faults).toEqual([])
      const text = await metrics()
      expect(workersIn(text)).toEqual(['1', '2'])
      const posted = [
        ...text.matchAll(
          /^http_request_duration_seconds_count\{[^}]*payments",status="201",worker="(\d)"\} (\d+)$/gm,
        ),
      ]
      expect(posted.map(([, worker]) => worker).sort()).toEqual(['1', '2'])
      expect(posted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(load.answered.size)
      expect(execFileSync('ps', ['-o', 'pid=', '-p', String(server.pid)]).length).toBeGreaterThan(0)
    },
    LONG_MS,
  )

  it(
    'WORKERS-02 MUST lose no response while a worker that is told to stop is replaced',
    async () => {
      const before = workers()
      load = begin(false)
      await load.more(20)
      process.kill(before[0]!, 'SIGTERM')
      await expect
        .poll(() => workers().filter(pid => !before.includes(pid)), { timeout: 60_000 })
        .toHaveLength(1)
      await load.more(20)
      await bothServe()
      await load.more(20)
      await load.stop()
      expect(load.faults).toEqual([])
    },
    LONG_MS,
  )

  it(
    'WORKERS-03 MUST keep what was answered when a worker is killed, and tell a repeat whose response was cut off',
    async () => {
      const before = workers()
      load = begin(true)
      await load.more(20)
      process.kill(before[0]!, 'SIGKILL')
      await load.more(20)
      await bothServe()
      await load.more(20)
      await load.stop()
      expect(load.faults).toEqual([])
      const { db, close } = await openDatabase(readConfig({ DATABASE_URL: scratch.url, SECRETS_KEY }))
      const found = new Set((await db.payment.findMany({ select: { id: true } })).map(({ id }) => id))
      await close()
      expect([...load.answered].filter(id => !found.has(id))).toEqual([])
    },
    LONG_MS,
  )

  it(
    'WORKERS-04 MUST finish requests in flight and end with 0 when it is told to stop, and leave no worker behind',
    async () => {
      const pids = workers()
      expect(await server.stop()).toBe(0)
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    },
    LONG_MS,
  )

  it(
    'WORKERS-05 MUST finish requests in flight when the primary is killed, and leave no worker behind',
    async () => {
      server = await startProcess({ DATABASE_URL: scratch.url, SECRETS_KEY, WORKERS: '2', LOG_LEVEL: 'info' })
      const pids = workers()
      const body = JSON.stringify(payment('100001'))
      const posting = request(`${server.address}/postpaid-billing/v1/payments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          // The worker says so once it has the head.
          expect: '100-continue',
        },
      })
      const answered = once(posting, 'response')
      posting.flushHeaders()
      await once(posting, 'continue')
      posting.write(body.slice(0, 20))
      await server.kill()
      await expect.poll(() => reached(server.address), { timeout: 30_000 }).toBe(false)
      posting.end(body.slice(20))
      const [response] = (await answered) as [IncomingMessage]
      expect(response.statusCode).toBe(201)
      response.resume()
      for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false)
    },
    LONG_MS,
  )
})
