/**
 * `npm run start:all`: every service and the gateway, each a process of its own, on the PostgreSQL of `DATABASE_URL`. It is for
 * development. It ends when one of them ends: containers and units are supervised by Compose, Kubernetes or systemd.
 */

import { type Config, ConfigError, readConfig } from '#core/config/config.ts'
import { migratePostgres } from '#core/data/db.ts'
import { changeAtHangUp, createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { explain } from '#core/process.ts'
import { printUsage } from '#core/usage.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { AllProcesses, addressLines } from '#topology/processes/all.ts'
import { StartError } from '#topology/processes/child.ts'
import { OWN_NAME, writeLine } from '#topology/processes/lines.ts'

const readSettings = (): Config => {
  const config = readConfig()
  if (config.databaseUrl) return config
  throw new ConfigError(['DATABASE_URL must be set: the embedded database serves one process at a time'])
}

/** Applies migrations, and makes demo data and keys, before the processes begin, so that all find the same. */
const prepare = async (config: Config) => {
  if (!config.readOnly) await migratePostgres(config)
  const app = await openApp(
    config,
    createLog(config.logLevel, { write: line => writeLine(OWN_NAME, line.trimEnd()) }, config.logNumbers),
    prepareDemo,
  )
  await app.database.close()
}

const stopOnSignal = (processes: AllProcesses, { logLevel: usual }: Config) => {
  const end = () => void processes.stop().then(() => process.exit(0))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  changeAtHangUp({ usual, change: logLevel => processes.send({ logLevel }), end })
}

const start = async () => {
  const config = readSettings()
  await prepare(config)
  const processes = new AllProcesses()
  stopOnSignal(processes, config)
  try {
    const running = await processes.start(config)
    for (const line of addressLines(running)) writeLine(OWN_NAME, line)
    await processes.oneEnded()
    writeLine(OWN_NAME, 'one of the processes has ended; the others are stopped')
    await processes.stop()
    process.exit(1)
  } catch (error) {
    await processes.stop()
    throw error
  }
}

const USAGE = `npm run start:all

Starts every service and the gateway, each a process of its own, on the PostgreSQL of DATABASE_URL, for development.
Where one of them ends, all are stopped.`

const fail = (error: unknown) => {
  console.error(error instanceof StartError ? error.message : explain(error))
  process.exitCode = 1
}

if (!printUsage(USAGE)) await start().catch(fail)
