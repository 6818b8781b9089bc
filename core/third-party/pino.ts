/** Where the declarations of pino say less than what it does. */
import { pino } from 'pino'

interface LogStream extends NodeJS.EventEmitter {
  end(): void
}

/** Where a logger writes; the symbol is declared, that loggers have it is not. */
export const streamOf = (log: pino.Logger): LogStream =>
  (log as pino.Logger & Readonly<Record<typeof pino.symbols.streamSym, LogStream>>)[pino.symbols.streamSym]
