/** The log: JSON lines on standard output, readable text on a terminal, secrets never. */
import { pino } from 'pino'

export type Logger = pino.Logger

/** Where a secret could stand in something that is logged by mistake. */
const SECRET_PATHS = [
  'cvv',
  'cardNumber',
  'notificationAuthToken',
  'authorization',
  'client_secret',
  'secret',
].flatMap(name => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`])

/** A logger at the given level (`LOG_LEVEL`). */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: undefined,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    transport: process.stdout.isTTY
      ? { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }
      : undefined,
  })
