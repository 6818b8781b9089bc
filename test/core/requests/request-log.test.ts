/** The request log at a stop and through an outage of the database: what waits is written, bounded, and what is lost is said. */
import { Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { createWatchdog } from '#core/async/watchdog.ts'
import { createLog } from '#core/observability/log.ts'
import { createRequests, RequestFacts } from '#core/observability/request-facts.ts'
import { type RequestLog, type RequestLogDependencies, startRequestLog } from '#core/requests/request-log.ts'

interface Written {
  readonly correlator: string
  readonly weight: number
}

/** A request log on a database that keeps rows, or fails, as a test sets. */
const open = () => {
  const [rows, lines]: [Written[], Record<string, unknown>[]] = [[], []]
  const database = { isAway: false, refuses: false }
  const answer = async (_: TemplateStringsArray, ...values: unknown[]) => {
    if (database.isAway) throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })
    const [given] = values
    if (database.refuses && typeof given === 'string')
      throw Object.assign(new Error('refused'), { meta: { code: '22P05' } })
    if (typeof given === 'string' && given.startsWith('[')) rows.push(...(JSON.parse(given) as Written[]))
    return 0
  }
  const transaction = async (work: (tx: object) => Promise<unknown>) => {
    await answer([''] as unknown as TemplateStringsArray)
    return work(db)
  }
  const db = {
    $executeRaw: answer,
    $queryRaw: async (...given: Parameters<typeof answer>) => {
      await answer(...given)
      return []
    },
    $transaction: transaction,
    $transact: transaction,
  }
  const requests = createRequests(() => undefined)
  const app = {
    config: { readOnly: false, requestLogDays: 30 },
    db,
    log: createLog('info', { write: line => void lines.push(JSON.parse(line)) }),
    watchdog: createWatchdog({ onLate: () => undefined, onRecovered: () => undefined }),
    metrics: { registry: new Registry() },
    requests,
  } as unknown as RequestLogDependencies
  const log: RequestLog = startRequestLog(app)
  const end = (correlator: string, operation = 'createPayment', code?: string) => {
    const facts = new RequestFacts({ correlator, method: 'POST', path: '/', way: 'REST', operation })
    facts.status = code ? 400 : 200
    facts.code = code
    requests.end(facts)
  }
  return { rows, lines, database, log, end }
}

const sum = (rows: readonly Written[]) => rows.reduce((total, { weight }) => total + weight, 0)

test('REQ-LOG-01 MUST write what waits when it stops, and take no more', async () => {
  const { rows, log, end } = open()
  for (let at = 0; at < 300; at++) end(`stop-${at}`)
  expect(rows).toEqual([])
  await log.stop()
  end('too-late')
  expect(rows.map(({ correlator }) => correlator)).toEqual(
    Array.from({ length: 300 }, (_, at) => `stop-${at}`),
  )
})

test('REQ-LOG-02 MUST keep what came before an outage, count all that is alike, and say what it lost', async () => {
  const { rows, lines, database, log, end } = open()
  database.isAway = true
  for (let at = 0; at < 10; at++) end(`before-${at}`)
  await log.flush().catch(() => undefined)
  await vi.waitFor(() => expect(log.check()).not.toEqual([]), { timeout: 10_000 })
  // Ordinary ones are joined from a thousand on; refusals, each with a code of its own, are lost from two thousand on.
  for (let at = 0; at < 5_000; at++) end(`during-${at}`)
  for (let at = 0; at < 3_000; at++) end(`refused-${at}`, 'createPayment', `CODE_${at}`)
  const [found] = await log.check()
  expect(found!.reason).toMatch(/^requests cannot be recorded: 2000 wait, \d+ were lost$/)
  database.isAway = false
  await log.stop()
  const lost = lines.find(({ msg }) => msg === 'requests are recorded again')!['lost'] as number
  expect(rows).toHaveLength(2_000)
  expect(rows.slice(0, 10).map(({ correlator }) => correlator)).toEqual(
    Array.from({ length: 10 }, (_, at) => `before-${at}`),
  )
  expect(lost).toBeGreaterThan(0)
  expect(sum(rows) + lost).toBe(10 + 5_000 + 3_000)
})

test('REQ-LOG-03 MUST say how many it could not write where the database stays away until the end', async () => {
  const { rows, lines, database, log, end } = open()
  database.isAway = true
  for (let at = 0; at < 7; at++) end(`lost-${at}`)
  await log.stop()
  expect(rows).toEqual([])
  expect(lines.find(({ msg }) => msg === 'the last requests were not recorded')).toMatchObject({
    requests: 7,
  })
})

test('REQ-LOG-04 MUST count as lost what the database refuses, and go on', async () => {
  const { rows, lines, database, log, end } = open()
  database.refuses = true
  for (let at = 0; at < 7; at++) end(`refused-${at}`)
  await vi.waitFor(() => expect(log.check()).not.toEqual([]), { timeout: 10_000 })
  const [found] = await log.check()
  expect(found!.reason).toBe('requests cannot be recorded: 0 wait, 7 were lost')
  database.refuses = false
  end('after')
  await log.stop()
  expect(rows.map(({ correlator }) => correlator)).toEqual(['after'])
  expect(lines.find(({ msg }) => msg === 'requests are recorded again')).toMatchObject({ lost: 7 })
})
