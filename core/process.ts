/** A server as a process: reads the configuration, serves until told to stop, says in one line what keeps it from starting. */
import type { OrderedStop } from './async/ordered-stop.ts'
import { type Config, forbidTelemetry, readConfig, workerNumber } from './config/config.ts'
import type { App } from './context/app.ts'
import { createServerStop, type Server } from './create-server.ts'
import { faultText } from './data/database-errors.ts'
import { SetupError } from './errors/catalogue.ts'
import { prepareGracefulClose } from './http/server.ts'
import { changeAtHangUp, createLog, finishLog, type Logger, setLogLevel } from './observability/log.ts'
import { useTracing } from './observability/tracing.ts'
import { openApp, type Seed } from './open-app.ts'
import { printUsage } from './usage.ts'
import { isWorker, joinWorkers, reportReady } from './workers/worker.ts'

export interface ServerProcess {
  /** Name of the process in traces: `partner-graph-gateway`. */
  readonly name: string
  /** The command and its purpose in a sentence: for `--help`. */
  readonly usage: string
  /** Number of words that the command takes; none unless given. */
  readonly words?: number
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
  EADDRINUSE: 'another process listens there (EADDRINUSE); stop it, or set another PORT',
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
  // A supervisor may tell a whole group to end, and the parent each of its own again: the second time changes nothing.
  process.on('SIGTERM', end)
  // An operator who presses Ctrl-C again does not want to wait.
  process.once('SIGINT', end)
  if (process.send === undefined) return
  process.once('disconnect', () => end('the parent process is gone'))
  if (!process.connected) end('the parent process is gone')
}

/** Message of a parent with an IPC channel. */
export interface ParentMessage {
  /** Ports of this machine where the processes that it started listen. */
  readonly installationPorts?: readonly number[]
  /** Level of the log, once SIGHUP has changed it. */
  readonly logLevel?: string
}

/**
 * Changes the level of the log at SIGHUP, from the start on: by default the signal would end the process. A parent that
 * started it says the level by a message instead, so that all of its processes have the same one.
 */
const followLevel = (log: Logger, onChange: (level: string) => void = () => undefined): void => {
  const change = (level: string) => {
    setLogLevel(log, level)
    onChange(level)
  }
  if (process.send === undefined) {
    changeAtHangUp({ usual: log.level, change, end: () => void process.kill(process.pid, 'SIGTERM') })
    return
  }
  process.on('SIGHUP', () => undefined)
  process.on('message', ({ logLevel = log.level }: ParentMessage) => {
    if (logLevel !== log.level) change(logLevel)
  })
}

/** No webhook goes to the processes that were started together with this one, as none goes to this one. */
const learnPorts = ({ ownPorts }: App): void => {
  let known: readonly number[] = []
  ownPorts.add(() => known)
  process.on('message', ({ installationPorts }: ParentMessage) => {
    known = installationPorts ?? known
  })
}

/** The app on the database, which is closed last. */
const openOn = async (opened: OrderedStop, config: Config, log: Logger, seed?: Seed): Promise<App> => {
  const app = await openApp(config, log, seed)
  if (process.send !== undefined) learnPorts(app)
  opened.add({ name: 'database', stop: () => app.database.close() })
  return app
}

/** Loads OpenTelemetry's SDK and begins to trace, where the settings say so. The last spans are sent at the very end. */
const startTracing = async (opened: OrderedStop, config: Config, log: Logger, service: string) => {
  const { traces, databaseUrl } = config
  if (!traces) return
  const { createTracing } = await import('./observability/opentelemetry.ts')
  const started = createTracing({ traces, databaseUrl, service, log })
  useTracing(started)
  opened.add({ name: 'traces', stop: () => started.stop() })
}

/** Time to stop beyond `REQUEST_TIMEOUT_MS`: twice that of a process that has to skip a part of its own stop. */
const WORKER_STOP_EXTENSION_MS = 10_000

/** Starts the workers of `WORKERS` in place of a server, and stops them on a signal. */
const startWorkers = async ({ banner }: ServerProcess, config: Config, log: Logger) => {
  const { Workers } = await import('./workers/primary.ts')
  const workers = new Workers({
    workers: config.workers,
    log,
    stopMs: config.requestTimeoutMs + WORKER_STOP_EXTENSION_MS,
  })
  followLevel(log, logLevel => workers.tell({ logLevel }))
  let ending: Promise<void> | undefined
  const end = async () => {
    const wereWell = await workers.stop()
    await finishLog(log)
    process.exit(wereWell ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!ending) log.info({ reason: signal }, 'stopping')
      ending ??= end()
    })
  try {
    const address = await workers.start()
    log.info({ address, workers: config.workers }, 'ready')
    console.log(banner(address, config))
  } catch (error) {
    await workers.stop()
    if (!ending) throw error
  }
}

const start = async (server: ServerProcess) => {
  forbidTelemetry()
  const config = readConfig(undefined, server.defaultPort)
  const log = createLog(config.logLevel, undefined, config.logNumbers)
  if (config.workers > 1 && !isWorker()) return startWorkers(server, config, log)
  followLevel(log)
  return serve(server, config, log)
}

/** Serves in this process. */
const serve = async ({ name, create, seed, banner }: ServerProcess, config: Config, log: Logger) => {
  await using opened = createServerStop(config, log)
  await startTracing(opened, config, log, name)
  const server = await create(await openOn(opened, config, log, seed))
  opened.addOrdered(server)
  const drain = prepareGracefulClose(server.http)
  const address = await listen(server, config)
  opened.add({ name: 'idle connections', stop: drain })
  stopOnSignal(log, opened.move())
  if (isWorker()) {
    joinWorkers(server.metrics)
    reportReady(address)
    log.info({ worker: workerNumber() }, 'the worker is ready')
    return
  }
  log.info({ address }, 'ready')
  console.log(banner(address, config))
}

/** Runs a server until SIGTERM or SIGINT, unless help is asked for; a start that fails is explained and leaves exit code 1. */
export async function runProcess(server: ServerProcess): Promise<void> {
  if (printUsage(server.usage, undefined, server.words)) return
  await start(server).catch(error => {
    console.error(explain(error))
    process.exitCode = 1
    // Messages of a parent are listened to by now, which would keep a process alive that serves nothing.
    process.channel?.unref()
  })
}
