/** The log: JSON lines on standard output, readable text on a terminal, secrets never. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { streamOf } from '../third-party/pino.ts'

export type Logger = pino.Logger

/** What a line is made of: an object or a text, and what follows it. */
export type LogLine = Parameters<pino.LogFn>

/** Where a secret could stand in something that is logged by mistake. */
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
 * Takes a line that tells of a failure, with level `warn` or above.
 * @param write writes it: as it is, or at level `debug` where the log has told of the failure's cause already. Called once,
 * soon.
 */
export type FailureLines = (error: unknown, write: (isTold: boolean) => void) => void

const FAILURE_LINES = Symbol('failure lines')

type OwnLogger = Logger & { [FAILURE_LINES]?: FailureLines }

/** Sees the lines of a log and of all that were made of it: of requests, too, whose logs Fastify makes. */
function logMethod(this: OwnLogger, line: LogLine, method: pino.LogFn, level: number): void {
  const error: unknown = (line[0] as { err?: unknown } | undefined)?.err
  const take = level >= WARN && error !== undefined ? this[FAILURE_LINES] : undefined
  if (take) take(error, isTold => (isTold ? this.debug(...line) : method.apply(this, line)))
  else method.apply(this, line)
}

/** The same log, whose lines about failures, and those of its children, go to `take` first. */
export const withFailureLines = (log: Logger, take: FailureLines): Logger =>
  Object.assign(log.child({}), { [FAILURE_LINES]: take })

const optionsOf = (level: string) => ({
  level,
  base: undefined,
  redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  hooks: { logMethod },
})

const PRETTY = { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }

/** Lines are written together where many come: each write wakes another thread. In bytes, and in milliseconds. */
const TOGETHER = { minLength: 4_096, periodicFlush: 100, sync: false }

/** What is left is written at the process's exit, whatever ends it but a SIGKILL. */
const createDestination = () => pino.destination({ dest: process.stdout.fd, ...TOGETHER })

/** A logger at the given level (`LOG_LEVEL`), writing to standard output unless another destination is given. */
export const createLog = (level: string, destination?: pino.DestinationStream): Logger => {
  const options = optionsOf(level)
  if (destination) return pino(options, destination)
  return process.stdout.isTTY ? pino({ ...options, transport: PRETTY }) : pino(options, createDestination())
}

/** The same log for lines of a few named fields that are no secrets: looking for some costs more than all the rest. */
export const withoutRedaction = (log: Logger): Logger => log.child({}, { redact: [] })

/** How long the last lines may take. */
const LAST_LINES_MS = 500

/**
 * Waits until the last lines are written, or cannot be: nobody reads them any more. Left to itself the log writes them
 * while the process exits, and tries for ever where the pipe is broken. Nothing may be logged after it.
 */
export async function finishLog(log: Logger): Promise<void> {
  const stream = streamOf(log)
  const closed = once(stream, 'close').catch(() => undefined)
  stream.end()
  await Promise.race([closed, delay(LAST_LINES_MS)])
}
