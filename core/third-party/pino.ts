/** Access to the parts of a pino logger, and of its destination, that they have and do not declare. */
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

type Destination = ReturnType<typeof pino.destination>

/** Parts of a destination (sonic-boom) that its own `write` works with. */
interface DestinationParts {
  readonly destroyed: boolean
  /** Lines that wait, in pieces of at most `maxWrite` bytes. */
  readonly _bufs: string[]
  /** Bytes of all of them. */
  _len: number
  readonly _hwm: number
  readonly _writing: boolean
  readonly minLength: number
  readonly maxWrite: number
  _actualWrite(): void
}

/**
 * Makes a destination count the bytes of each line once. Its own `write` counts all that waits anew for each line, which
 * takes longer than making the line. Only for one without a limit of what waits (`maxLength`). Returns it.
 */
export function countingOnce(destination: Destination): Destination {
  const parts = destination as unknown as DestinationParts
  /** Bytes of the last piece; where that was taken away meanwhile, a new one is begun early at worst. */
  let lastBytes = 0
  destination.write = line => {
    if (parts.destroyed) throw new Error('the log was written to after its end')
    const bytes = Buffer.byteLength(line)
    const { _bufs: pieces } = parts
    if (pieces.length === 0 || lastBytes + bytes > parts.maxWrite) {
      pieces.push(line)
      lastBytes = bytes
    } else {
      pieces[pieces.length - 1] += line
      lastBytes += bytes
    }
    parts._len += bytes
    if (!parts._writing && parts._len >= parts.minLength) parts._actualWrite()
    return parts._len < parts._hwm
  }
  return destination
}
