/** A server as a process: reads the configuration, serves until told to stop, says in one line what keeps it from starting. */
import type { OrderedStop } from './async/ordered-stop.ts'
import { type Config, forbidTelemetry, readConfig } from './config/config.ts'
import type { App } from './context/app.ts'
import { createServerStop, type Server } from './create-server.ts'
import { faultText } from './data/database-errors.ts'
import { SetupError } from './errors/catalogue.ts'
import { prepareGracefulClose } from './http/server.ts'
import { createLog, finishLog, type Logger } from './observability/log.ts'
import { openApp, type Seed } from './open-app.ts'
import { printUsage } from './usage.ts'

export interface ServerProcess {
  /** The command and its purpose in a sentence: for `--help`. */
  readonly usage: string
  /** Puts together what is served on the database; it does not listen yet. */
  create(app: App): Promise<Server>
  /** Fills an empty database. */
  readonly seed?: Seed
  /** The banner for a person, printed once it listens. */
  banner(address: string, config: Config): string
  /** Where it listens when `PORT` is unset; 4000 when absent. */
  readonly defaultPort?: number
}

/** Explains a failure: a fault of the installation in one sentence, anything else with its stack. */
export const explain = (error: unknown): string =>
  faultText(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: 'another process listens there (EADDRINUSE)',
  EADDRNOTAVAIL: 'that is no address of this machine (EADDRNOTAVAIL)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  EACCES: 'this user may not (EACCES)',
}

const listen = ({ http }: Server, { host, port, listenBacklog: backlog }: Config): Promise<string> =>
  http.listen({ port, host, backlog }).catch((error: NodeJS.ErrnoException) => {
    const why = LISTEN_FAULTS[error.code ?? ''] ?? error.message
    throw new SetupError(`It cannot listen at HOST ${host}, PORT ${port}: ${why}`, { cause: error })
  })

/** Ends the process once what is in flight is finished: with 1 where something did not end, which the log names. */
const endAfter = async (log: Logger, opened: OrderedStop): Promise<void> => {
  const code = await opened.stop().then(
    () => 0,
    () => 1,
  )
  await finishLog(log)
  process.exit(code)
}

/**
 * Stops on a signal, and when the parent that started it with an IPC channel has vanished, since no signal would come then. Own code: close-with-grace exits before the last log lines are written, knows no IPC
 * channel and cannot name what does not end.
 */
const stopOnSignal = (log: Logger, opened: OrderedStop) => {
  let ending: Promise<void> | undefined
  const end = (reason: string) => {
    if (!ending) log.info({ reason }, 'stopping')
    ending ??= endAfter(log, opened)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  if (process.send === undefined) return
  process.once('disconnect', () => end('the parent process is gone'))
  if (!process.connected) end('the parent process is gone')
}

/** The message of a parent with an IPC channel: the ports of this machine where the processes that it started listen. */
export interface InstallationPorts {
  readonly installationPorts: readonly number[]
}

/** No webhook goes to the processes that were started together with this one, as none goes to this one. */
const learnPorts = ({ ownPorts }: App): void => {
  let known: readonly number[] = []
  ownPorts.add(() => known)
  process.on('message', ({ installationPorts }: InstallationPorts) => {
    known = installationPorts
  })
}

/** The app on the database, which is closed last. */
const openOn = async (opened: OrderedStop, config: Config, log: Logger, seed?: Seed): Promise<App> => {
  const app = await openApp(config, log, seed)
  if (process.send !== undefined) learnPorts(app)
  opened.add({ name: 'database', stop: () => app.database.close() })
  return app
}

const start = async ({ create, seed, banner, defaultPort }: ServerProcess) => {
  forbidTelemetry()
  const config = readConfig(undefined, defaultPort)
  const log = createLog(config.logLevel)
  await using opened = createServerStop(config, log)
  const server = await create(await openOn(opened, config, log, seed))
  opened.addOrdered(server)
  const drain = prepareGracefulClose(server.http)
  const address = await listen(server, config)
  opened.add({ name: 'idle connections', stop: drain })
  log.info({ address }, 'ready')
  console.log(banner(address, config))
  stopOnSignal(log, opened.move())
}

/** Runs a server until SIGTERM or SIGINT, unless help is asked for; a start that fails is explained and leaves exit code 1. */
export async function runProcess(server: ServerProcess): Promise<void> {
  if (printUsage(server.usage)) return
  await start(server).catch(error => {
    console.error(explain(error))
    process.exitCode = 1
  })
}
