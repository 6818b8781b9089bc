/**
 * Partners over a day, alone in their process. What is due is sent, however much is under way, and each answer's time counts
 * from the moment at which the request was due: a server that is late is not spared.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { arrivalsOf, HOUR_SHARES, hourMs, type Replay } from './day-curve.ts'
import { anyIndex, kindAt } from './mix.ts'
import { percentiles } from './percentiles.ts'
import { serveCalls } from './worker.ts'

/** The work of this process. */
export interface DayJob extends Replay {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Receivers of webhooks, in turn. */
  readonly receivers: readonly string[]
}

/** An hour of the day, by when its requests were due. */
export interface PostedHour {
  readonly sent: number
  readonly accepted: number
  readonly p50: number
  readonly p99: number
  /** Answers but 201, by status. */
  readonly others: Readonly<Record<string, number>>
}

const TICK_MS = 2
const CONNECTIONS = 256
const PATIENCE_MS = 30_000

interface Hour {
  sent: number
  readonly latencies: number[]
  readonly others: Record<string, number>
}

const run = async (job: DayJob): Promise<readonly PostedHour[]> => {
  const { address, headers, receivers } = job
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const moments = arrivalsOf(job)
  const hours: Hour[] = HOUR_SHARES.map(() => ({ sent: 0, latencies: [], others: {} }))
  const length = hourMs(job)
  const begin = performance.now()
  const underWay = new Set<Promise<void>>()

  const post = async (due: number, index: number) => {
    const hour = hours[Math.min(hours.length - 1, Math.floor(due / length))]!
    hour.sent += 1
    const { path, body } = kindAt(Math.random())
    const webhook = {
      notificationUrl: `${receivers[index % receivers.length]}/hooks`,
      notificationAuthToken: 'a-token',
    }
    const count = (what: string) => {
      hour.others[what] = (hour.others[what] ?? 0) + 1
    }
    try {
      const response = await request(address + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body(anyIndex(Math.random), webhook)),
        dispatcher,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.body.text()
      if (response.statusCode === 201) hour.latencies.push(performance.now() - begin - due)
      else count(`${response.statusCode} ${text.slice(0, 200)}`)
    } catch (error) {
      count((error as Error).name)
    }
  }

  let next = 0
  while (next < moments.length) {
    const now = performance.now() - begin
    for (; next < moments.length && moments[next]! <= now; next++) {
      const one: Promise<void> = post(moments[next]!, next).finally(() => underWay.delete(one))
      underWay.add(one)
    }
    await delay(TICK_MS)
  }
  await Promise.all(underWay)
  await dispatcher.close()
  return hours.map(({ sent, latencies, others }) => ({
    sent,
    accepted: latencies.length,
    others,
    ...percentiles(latencies),
  }))
}

serveCalls({ run: (job: DayJob) => run(job) })
