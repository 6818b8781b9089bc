/** The demo as a server leaves it that ran once: with its timeline, its sums and the statements of days that are over. */
import { createCommitNotifier } from '#core/async/worker.ts'
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/db.ts'
import { createLog } from '#core/observability/log.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { openCheckpoints, projectAll } from '#subgraphs/activity/projection/project.ts'
import { makeStatements } from '#subgraphs/activity/statements/make.ts'
import { loadKinds } from '#subgraphs/load.ts'

const PATIENCE_MS = 60_000

/** Writes it into an empty database, unless the settings want none. Servers on a copy find nothing to catch up with. */
export async function writeDemo(database: Database, config: Config): Promise<void> {
  if (!config.demo) return
  await seedDemo(database, config)
  const kinds = await loadKinds()
  // A test's own limit is of its requests, not of what is written before them.
  const patient = { ...config, requestTimeoutMs: PATIENCE_MS }
  const parts = {
    db: database.db,
    config: patient,
    log: createLog('error'),
    eventsWritten: createCommitNotifier(),
  }
  await openCheckpoints({ ...parts, kinds })
  await projectAll({ ...parts, kinds })
  await makeStatements(parts, kinds)
}
