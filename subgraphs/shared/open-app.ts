/** What a process shares, opened from its configuration and closed again. */

import { openDemoClients, seedDemo } from '../../prisma/seed.ts'
import { createAccess } from './access/access.ts'
import { createClientUsage } from './access/client-usage.ts'
import type { App } from './app.ts'
import { createLedger } from './charging/ledger.ts'
import { type Config, isLoopback } from './config.ts'
import { openBook } from './data/book.ts'
import { type Database, openDatabase } from './data/db.ts'
import { EVENT_BOOK } from './data/events.ts'
import { requireSchema } from './data/require-schema.ts'
import { createSignal } from './data/signal.ts'
import { createFeed } from './delivery/feed.ts'
import { createDirectory } from './directory/directory.ts'
import type { Logger } from './log.ts'
import { createMetrics } from './metrics.ts'

/** What whoever opens a database first leaves there for all. */
const prepare = async (database: Database, config: Config) => {
  await openBook(database.prisma, EVENT_BOOK)
  await seedDemo(database, config)
}

/** Demo clients may be there from before, when nobody else reached the server. */
const warnOfDemoClients = async ({ prisma }: Database, { host, auth }: Config, log: Logger) => {
  if (isLoopback(host) || auth.jwksUrl) return
  const clients = await openDemoClients(prisma)
  if (clients.length > 0)
    log.warn(
      { clients },
      'demo clients with public secrets are let in: `clients rotate` or `clients disable` them',
    )
}

/**
 * Opens database and access; `app.database.close()` gives them back. A replica is neither written to nor listened on:
 * there, what others commit is found by looking each second.
 */
export async function openApp(config: Config, log: Logger): Promise<App> {
  const database = await openDatabase(config)
  try {
    await requireSchema(database, config)
    const { prisma } = database
    if (!config.readOnly) await prepare(database, config)
    await warnOfDemoClients(database, config, log)
    const access = await createAccess({ config, prisma, log })
    const [posted, eventsWritten] = [createSignal(), createSignal()]
    const feed = createFeed({ db: prisma, log, config })
    eventsWritten.listen(() => feed.wake())
    if (!config.readOnly) database.shareSignals({ posted, eventsWritten }, log)
    return {
      config,
      log,
      database,
      db: prisma,
      access,
      usage: createClientUsage(),
      directory: createDirectory(prisma),
      charging: createLedger(),
      posted,
      eventsWritten,
      feed,
      metrics: createMetrics(feed),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
