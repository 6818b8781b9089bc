/** `npm start`: reads the configuration, opens the database, serves until told to stop. */
import { ConfigError, forbidTelemetry, readConfig } from '../subgraphs/shared/config.ts'
import { InUseError } from '../subgraphs/shared/data/lock.ts'
import { createLog } from '../subgraphs/shared/log.ts'
import { openApp } from '../subgraphs/shared/open-app.ts'
import { createAllInOne } from './all-in-one.ts'
import { greeting } from './greeting.ts'

/** Faults of the installation are told in one line; anything else with its stack. */
const explain = (error: unknown): string =>
  error instanceof ConfigError || error instanceof InUseError
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)

const start = async () => {
  forbidTelemetry()
  const config = readConfig()
  const log = createLog(config.logLevel)
  const app = await openApp(config, log)
  const server = await createAllInOne(app)
  const address = await server.http.listen({ port: config.port, host: config.host })
  const stop = async () => {
    await server.stop()
    await app.database.close()
  }
  log.info({ address }, 'ready')
  console.log(greeting(address, config))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping')
      stop().then(
        () => process.exit(0),
        error => {
          log.error({ err: error }, 'stopping failed')
          process.exit(1)
        },
      )
    })
  }
}

start().catch(error => {
  console.error(explain(error))
  process.exitCode = 1
})
