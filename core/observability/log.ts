/** The log: JSON lines on standard output, or readable text on a terminal, without secrets. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { pino } from 'pino'
import { withTimeout } from '../async/deadline.ts'
import { countingOnce, logStreamOf, unhooked } from '../third-party/pino.ts'
import { createMask } from './log-mask.ts'

export type Logger = pino.Logger

/** Arguments of a line: an object or a text, and more. */
export type LogLine = Parameters<pino.LogFn>

/** Paths of secrets in objects that are logged by mistake. */
const SECRET_PATHS = [
  'cvv',
  'cardNumber',
  'notificationAuthToken',
  'authorization',
  'client_secret',
  'secret',
].flatMap(name => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`])

/** Pino's number of the level `warn`. */
const WARN = 40

/**
 * Takes a line about a failure, with level `warn` or above.
 * @param write writes it: as it is, or at level `debug` where the cause of the failure has been logged already. Must be
 * called once, soon.
 */
export type FailureLines = (error: unknown, write: (isReported: boolean) => void) => void

const FAILURE_LINES = Symbol('failure lines')

type OwnLogger = Logger & { [FAILURE_LINES]?: FailureLines }

/** Hook of all lines of a log and its children, including those that Fastify makes for requests. */
function logMethod(this: OwnLogger, line: LogLine, method: pino.LogFn, level: number): void {
  const error: unknown = (line[0] as { err?: unknown } | undefined)?.err
  const take = level >= WARN && error !== undefined ? this[FAILURE_LINES] : undefined
  if (take) take(error, isReported => (isReported ? this.debug(...line) : method.apply(this, line)))
  else method.apply(this, line)
}

/** Makes the same log with its lines about failures, and those of its children, passed to `take` first. */
export const withFailureLines = (log: Logger, take: FailureLines): Logger =>
  Object.assign(log.child({}), { [FAILURE_LINES]: take })

const optionsOf = (level: string, showsNumbers: boolean) => ({
  level,
  base: undefined,
  redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  hooks: { logMethod, streamWrite: createMask(showsNumbers) },
})

const PRETTY = { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }

/**
 * Coalesces writes, each of which wakes another thread and costs as much as a tenth of a request: by size in bytes, and by
 * time in milliseconds. A line waits no longer for a larger size, since time ends the wait.
 */
const COALESCED_WRITES = { minLength: 16_384, maxWrite: 65_536, periodicFlush: 100, sync: false }

/** Writes the remaining lines at the process's exit, unless it ends by a SIGKILL. */
const createDestination = () =>
  countingOnce(pino.destination({ dest: process.stdout.fd, ...COALESCED_WRITES }))

/**
 * Makes a logger of this level (`LOG_LEVEL`), by default for standard output.
 * @param showsNumbers whether phone and account numbers are written whole (`LOG_NUMBERS`).
 */
export const createLog = (
  level: string,
  destination?: pino.DestinationStream,
  showsNumbers = false,
): Logger => {
  const options = optionsOf(level, showsNumbers)
  if (destination) return pino(options, destination)
  return process.stdout.isTTY ? pino({ ...options, transport: PRETTY }) : pino(options, createDestination())
}

/**
 * Makes the same log for lines of known fields without secrets: the search for secrets by their paths costs more than the
 * rest. Their text is masked nevertheless.
 */
export const withoutRedaction = (log: Logger): Logger => log.child({}, { redact: [] })

/** Makes the log of records that must be whole, for a process that has no other place for them: always written, unmasked. */
export const forRecords = (log: Logger): Logger => unhooked(log.child({}, { level: 'info', redact: [] }))

/** The level that SIGHUP changes to from `LOG_LEVEL`: the one that tells more, or less where that is told already. */
const otherLevel = (usual: string): string => (['debug', 'trace'].includes(usual) ? 'info' : 'debug')

interface HangUp {
  /** `LOG_LEVEL`. */
  readonly usual: string
  /** Sets the level. */
  change(level: string): void
  /** Ends the process, whose terminal was closed. */
  end(): void
}

/**
 * Changes the level at each SIGHUP, to `debug` and back. At a terminal the signal says that it was closed, and ends the
 * process as it would by default.
 */
export function changeAtHangUp({ usual, change, end }: HangUp): void {
  const hasTerminal = isatty(0)
  let level = usual
  process.on('SIGHUP', () => {
    if (hasTerminal) return end()
    level = level === usual ? otherLevel(usual) : usual
    change(level)
  })
}

/** Changes the level of a log and of all that were made from it, and says so in a line that either level writes. */
export const setLogLevel = (log: Logger, level: string): void => {
  const write = () => log.info({ logLevel: level }, 'the level of the log was changed')
  const { values } = log.levels
  const tellsMore = (values[level] ?? Infinity) < (values[log.level] ?? Infinity)
  if (!tellsMore) write()
  log.level = level
  if (tellsMore) write()
}

/** Time in milliseconds in which the responses that were ended last close, and are logged: it takes them ten. */
const LATEST_LINE_MS = 50
/** Limit of the time to write the last lines, in milliseconds. */
const LAST_LINES_MS = 500

/**
 * Waits until the last lines are written, or cannot be because the reader has left. Left to itself the log writes them
 * while the process exits, and tries forever where the pipe is broken. Lines that come later are dropped.
 */
export async function finishLog(log: Logger): Promise<void> {
  await delay(LATEST_LINE_MS)
  const stream = logStreamOf(log)
  const closed = once(stream, 'close').catch(() => undefined)
  stream.end()
  // A stream that has ended throws at a line, which would end the process with another exit code.
  stream.write = () => undefined
  await withTimeout<unknown>(closed, LAST_LINES_MS, () => undefined)
}
