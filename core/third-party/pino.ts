/** Declarations that pino lacks. */
import { pino } from 'pino'

interface LogStream extends NodeJS.EventEmitter {
  end(): void
}

/** The stream of a logger; pino declares the symbol, but not that loggers have it. */
export const logStreamOf = (log: pino.Logger): LogStream =>
  (log as pino.Logger & Readonly<Record<typeof pino.symbols.streamSym, LogStream>>)[pino.symbols.streamSym]
