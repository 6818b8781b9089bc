/** A server as a process: reads the configuration, serves until told to stop, says in one line what keeps it from starting. */
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError, forbidTelemetry, readConfig } from './config/config.ts'
import type { App } from './context/app.ts'
import { InUseError } from './data/data-dir-lock.ts'
import { prepareGracefulClose } from './http/graceful-close.ts'
import { createLog, finishLog, type Logger } from './observability/log.ts'
import { openApp, type Seed } from './open-app.ts'

/** What is served. */
export interface Served {
  readonly http: FastifyInstance
  /** Finishes what is in flight and gives everything back. */
  stop(): Promise<void>
}

export interface ServerProcess {
  /** Puts together what is served; it does not listen yet. */
  serve(config: Config, log: Logger): Promise<Served>
  /** The banner for a person, printed once it listens. */
  banner(address: string, config: Config): string
  /** Where it listens when `PORT` is unset; 4000 when absent. */
  readonly defaultPort?: number
}

const isPortTaken = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Faults of the installation are told in one line; anything else with its stack. */
export const explain = (error: unknown): string =>
  error instanceof ConfigError || error instanceof InUseError || isPortTaken(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)

/** A start that fails releases what was opened, so that the process ends. */
const cleanupOnError = <T>(work: Promise<T>, giveBack: () => Promise<void>): Promise<T> =>
  work.catch(async error => {
    await giveBack()
    throw error
  })

/** Serves what stands on the database, which is closed last. */
export const onDatabase =
  (create: (app: App) => Promise<Served>, seed?: Seed): ServerProcess['serve'] =>
  async (config, log) => {
    const app = await openApp(config, log, seed)
    const close = () => app.database.close()
    const { http, stop } = await cleanupOnError(create(app), close)
    return {
      http,
      stop: async () => {
        await stop()
        await close()
      },
    }
  }

/** Ends the process with 0 once what is in flight is finished. */
const endAfter = (log: Logger, stop: () => Promise<void>): Promise<void> =>
  stop()
    .then(
      () => 0,
      error => {
        log.error({ err: error }, 'stopping failed')
        return 1
      },
    )
    .then(async code => {
      await finishLog(log)
      process.exit(code)
    })

/**
 * Stops when it is told to; also when whoever started it with an IPC channel has vanished, however that went, since
 * nobody would tell it then.
 */
const stopWhenTold = (log: Logger, stop: () => Promise<void>) => {
  let ending: Promise<void> | undefined
  const end = (reason: string) => {
    if (!ending) log.info({ reason }, 'stopping')
    ending ??= endAfter(log, stop)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  if (process.send === undefined) return
  process.once('disconnect', () => end('the parent process is gone'))
  if (!process.connected) end('the parent process is gone')
}

const start = async ({ serve, banner: greeting, defaultPort }: ServerProcess) => {
  forbidTelemetry()
  const config = readConfig(undefined, defaultPort)
  const log = createLog(config.logLevel)
  const { http, stop } = await serve(config, log)
  const drain = prepareGracefulClose(http)
  const address = await cleanupOnError(http.listen({ port: config.port, host: config.host }), stop)
  log.info({ address }, 'ready')
  console.log(greeting(address, config))
  stopWhenTold(log, () => drain().then(stop))
}

/** Runs a server until SIGTERM or SIGINT; a start that fails is explained and leaves exit code 1. */
export const runProcess = (server: ServerProcess): Promise<void> =>
  start(server).catch(error => {
    console.error(explain(error))
    process.exitCode = 1
  })
