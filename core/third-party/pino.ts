/** Access to the parts of a pino logger that pino has, and does not declare. */
import { pino } from 'pino'

const { symbols } = pino

interface LogStream extends NodeJS.EventEmitter {
  write(line: string): unknown
  end(): void
}

type Parts = pino.Logger &
  Readonly<Record<typeof symbols.streamSym, LogStream> & Record<typeof symbols.chindingsSym, string>>

/** The stream of a logger. */
export const logStreamOf = (log: pino.Logger): LogStream => (log as Parts)[symbols.streamSym]

/** Makes a logger write its lines as they are, without the hooks of the one that it was made from. Returns it. */
export const unhooked = (log: pino.Logger): pino.Logger => Object.assign(log, { [symbols.hooksSym]: {} })

/** The members that begin each line of a logger, as text of JSON that begins with a comma; empty where it has none. */
export const bindingsOf = (log: pino.Logger): string => (log as Parts)[symbols.chindingsSym]
