/** Our side of P10: the whole program, and events that are appended at its parent's call as settling appends them. */

import { setTimeout as delay } from 'node:timers/promises'
import { forbidTelemetry, readConfig } from '#core/config/config.ts'
import type { Statements } from '#core/data/db.ts'
import { commitFirstEvents, type FirstLeases, lockEventLog, writeEvents } from '#core/events/append.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { notified, TOKEN } from '../lib/notified.ts'
import { serveCalls } from '../lib/worker.ts'

export interface FillJob {
  readonly origins: readonly string[]
  readonly count: number
}

export interface PumpJob {
  readonly origins: readonly string[]
  /** Events per second. */
  readonly rate: number
  readonly seconds: number
}

/** Between batches, as settling makes them. */
const BATCH_MS = 10

forbidTelemetry()
const config = readConfig()
const app = await openApp(config, createLog(config.logLevel), seedDemo)
const server = await createAllInOne(app)

/** In one transaction; the deliverer is woken by its commit. */
const fill = async ({ origins, count }: FillJob) => {
  const token = app.access.cipher.encrypt(TOKEN)
  const write = async (tx: Statements, leases?: FirstLeases) => {
    const events = notified(origins, count, token)
    await writeEvents(tx, await lockEventLog(tx), events, leases)
    return events
  }
  await commitFirstEvents(app, write, { timeout: 60_000 })
}

/** At a fixed rate, however long an append takes. @returns how many. */
const pump = async ({ origins, rate, seconds }: PumpJob): Promise<number> => {
  const total = Math.round(rate * seconds)
  const start = performance.now()
  for (let done = 0; done < total; ) {
    await delay(BATCH_MS)
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * rate))
    if (due > done)
      await fill({ origins: [...origins.slice(done % origins.length), ...origins], count: due - done })
    done = due
  }
  return total
}

serveCalls({ fill, pump })
await server.http.listen({ port: config.port, host: config.host })
process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
