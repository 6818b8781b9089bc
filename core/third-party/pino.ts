/** Declarations that pino lacks. */
import { pino } from 'pino'

interface LogStream extends NodeJS.EventEmitter {
  end(): void
}

/** The stream of a logger; pino declares the symbol, but not that loggers have it. */
export const logStreamOf = (log: pino.Logger): LogStream =>
  (log as pino.Logger & Readonly<Record<typeof pino.symbols.streamSym, LogStream>>)[pino.symbols.streamSym]

/** Makes a logger write its lines as they are, without the hooks of the one that it was made from. Returns it. */
export const unhooked = (log: pino.Logger): pino.Logger => Object.assign(log, { [pino.symbols.hooksSym]: {} })
