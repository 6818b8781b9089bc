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

const optionsOf = (level: string) => ({
  level,
  base: undefined,
  redact: { paths: SECRET_PATHS, censor: '[redacted]' },
})

const PRETTY = { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }

/** A logger at the given level (`LOG_LEVEL`), writing to standard output unless another destination is given. */
export const createLog = (level: string, destination?: pino.DestinationStream): Logger =>
  destination
    ? pino(optionsOf(level), destination)
    : pino({ ...optionsOf(level), transport: process.stdout.isTTY ? PRETTY : undefined })
