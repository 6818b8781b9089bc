/** An outage of the database in the log: one line when it begins, one when it is over, whatever fails meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionLost } from '#core/data/driver-errors.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { INTERFACES, restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import { bookTables, FULL_DISK, refuseWrites } from '../support/refusals.ts'
import { SEPARATE, type Stack, startStack } from '../support/stack.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly err?: { readonly message: string }
  readonly status?: number
}

const DEBUG = 20
const INFO = 30
const WARN = 40
const BACK = 'the database is back: requests are served, and background work goes on'
const PATIENT = { timeout: 10_000, interval: 20 }
/** Of each of the five kinds that the ledger settles: three sweeps. */
const ROUNDS = 15

const written: string[] = []
const lines = (): Line[] => written.map(line => JSON.parse(line))
const count = (matches: (line: Line) => boolean) => lines().filter(matches).length
/** The lines that stand out in the log: all that is reported at `warn` or above, and that the database is back. */
const warnings = () =>
  lines()
    .filter(({ level, msg }) => level >= WARN || msg === BACK)
    .map(({ level, msg }) => `${level} ${msg}`)
const begins = (reason: string) =>
  expect.stringMatching(new RegExp(`^${WARN} ${reason}.*: .*; a line tells when it is back$`))

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
let proxy: TcpProxy | undefined
let stack: Stack
let partner: string

beforeAll(async () => {
  const server = new URL(process.env['TEST_DATABASE_URL'] || 'postgresql://127.0.0.1')
  proxy = onPostgres ? await startProxy(server.hostname, Number(server.port || 5432)) : undefined
  const env = { LOG_LEVEL: 'debug' }
  stack = await startStack({ ...(proxy && { databasePort: proxy.port }), env, logLines: written })
  partner = await stack.token()
})
afterAll(async () => {
  proxy?.restore()
  await stack?.[Symbol.asyncDispose]()
  await proxy?.close()
})

/** The statuses of a create and a list over REST, and of a create in the graph. */
const ask = async () => {
  const [fixture] = FIXTURES
  const [rest, graph] = await Promise.all(
    INTERFACES.map(one => one.create(stack, fixture!, partner, fixture!.body())),
  )
  const listed = await restOf(stack)('GET', fixture!.path, { token: partner })
  return [rest!.status, graph!.status, listed.status]
}
const untilServed = () => expect.poll(ask, PATIENT).toEqual([201, 201, 200])
const untilBack = () => vi.waitUntil(() => count(({ msg }) => msg === BACK) > 0, PATIENT)
const BACK_LINE = `${INFO} ${BACK}`

/** In several processes each has a log of its own. */
describe.skipIf(SEPARATE)('an outage in the log', () => {
  beforeEach(async () => {
    await untilServed()
    await stack.settled()
    written.length = 0
  })

  it('OUTAGE-01 MUST not be reported where one connection was lost and the database is well', async () => {
    stack.app.log.warn({ err: connectionLost('one connection') }, 'one connection was lost')
    await vi.waitUntil(() => warnings().length > 0, PATIENT)
    expect(warnings()).toEqual([`${WARN} one connection was lost`])
  })

  it('OUTAGE-02 MUST be two lines where the disk is full, which hide no other failure', async () => {
    const { db, log } = stack.app
    const mend = await refuseWrites(db, await bookTables(db), FULL_DISK)
    expect(await ask()).toEqual([503, 503, 200])
    await vi.waitUntil(() => warnings().length > 0, PATIENT)
    log.warn({ err: connectionLost('one connection') }, 'one connection was lost')
    log.warn({ err: new Error('a bug') }, 'a bug')
    await vi.waitUntil(() => warnings().length > 2, PATIENT)
    expect(await ask()).toEqual([503, 503, 200])
    await mend()
    await untilBack()
    await untilServed()
    expect(warnings()).toEqual([
      begins('the database has no space left \\(53100\\)'),
      `${WARN} a bug`,
      `${WARN} one connection was lost`,
      BACK_LINE,
    ])
  })

  /** The last: what is lost in the seconds after it passes for a part of it. */
  it.skipIf(!onPostgres)(
    'OUTAGE-03 MUST be two lines where PostgreSQL is away for several sweeps',
    async () => {
      proxy!.cut()
      expect(await ask()).toEqual([503, 503, 503])
      await vi.waitUntil(() => count(({ msg }) => msg.startsWith('settling round failed')) >= ROUNDS, PATIENT)
      expect(await ask()).toEqual([503, 503, 503])
      stack.app.log.warn({ err: new ServiceError('REQUEST_TIMEOUT_EXCEEDED', 'It waited') }, 'it waited')
      proxy!.restore()
      await untilBack()
      await untilServed()
      await stack.settled()
      expect(warnings()).toEqual([begins('the database cannot be reached'), BACK_LINE])
      const requests = lines().filter(({ msg, status }) => msg === 'request' && status === 503)
      expect(requests.length).toBeGreaterThanOrEqual(4)
      expect(new Set(requests.map(({ level }) => level))).toEqual(new Set([INFO]))
      expect(count(({ level, err }) => level === DEBUG && err !== undefined)).toBeGreaterThan(ROUNDS)
    },
  )
})
