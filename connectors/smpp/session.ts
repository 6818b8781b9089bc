/** PDUs over one connection, for either side: framing, sequence numbers, requests with their responses, and the pace of reading. */
import { EventEmitter } from 'node:events'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import {
  decodePdu,
  encodePdu,
  LONGEST_PDU,
  type Pdu,
  PduError,
  type PduFields,
  responseCommand,
  SHORTEST_PDU,
} from '../third-party/smpp.ts'

/** Octets of the length that begins each PDU. */
const LENGTH_OCTETS = 4

const LAST_SEQUENCE = 0x7fffffff

/**
 * Connection that carries PDUs. It emits `pdu` for each PDU and then the name of its command, with the PDU; `close` when the connection has ended; `error`
 * for a fault of the connection, or for octets that are no PDU, after which nothing more is read.
 */
export class Session extends EventEmitter {
  readonly socket: Socket
  readonly #responses = new Map<number, (response: Pdu) => void>()
  #sequence = 0
  /** Length of the PDU whose beginning was read. */
  #length: number | undefined
  #isPaused = false
  #isReading = false

  constructor(socket: Socket) {
    super()
    this.socket = socket
    socket.on('readable', () => this.#read())
    socket.on('close', () => this.emit('close'))
    socket.on('error', error => this.emit('error', error))
  }

  /**
   * Sends a request; false where the connection has ended. `onResponse` is called once, or never.
   * @throws PduError for a field that cannot be written.
   */
  request(command: string, fields: PduFields, onResponse?: (response: Pdu) => void): boolean {
    if (!this.socket.writable) return false
    this.#sequence = this.#sequence === LAST_SEQUENCE ? 1 : this.#sequence + 1
    this.socket.write(encodePdu(command, this.#sequence, fields))
    if (onResponse) this.#responses.set(this.#sequence, onResponse)
    return true
  }

  /** Responds to a request with fields. @param onSent called once the response has left; never where the connection has ended. */
  respond(request: Pdu, fields: PduFields = {}, onSent?: () => void): boolean {
    return this.#respond(request, fields, 0, onSent)
  }

  /** Responds to a request with a status other than 0. */
  refuse(request: Pdu, status: number): boolean {
    return this.#respond(request, {}, status)
  }

  /** Reads no further PDU until `resume`; octets stay in the socket's buffer, and the other side is held up. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#read()
  }

  destroy(): void {
    this.socket.destroy()
  }

  #respond(request: Pdu, fields: PduFields, status: number, onSent?: () => void): boolean {
    if (!this.socket.writable) return false
    this.socket.write(encodePdu(responseCommand(request), request.sequence, fields, status), onSent)
    return true
  }

  /** A fault leaves `#isReading` set: what follows cannot be framed. */
  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    try {
      for (let octets = this.#next(); octets; octets = this.#next()) this.#take(decodePdu(octets))
    } catch (error) {
      this.emit('error', error)
      return
    }
    this.#isReading = false
  }

  /** The octets of the next PDU; undefined while they have not all come. @throws PduError for a length that none has. */
  #next(): Buffer | undefined {
    if (this.#isPaused) return undefined
    this.#length ??= this.#readLength()
    if (this.#length === undefined) return undefined
    const rest: Buffer | null = this.socket.read(this.#length - LENGTH_OCTETS)
    // Where the connection ends within a PDU, the socket gives what there is of it.
    if (rest?.length !== this.#length - LENGTH_OCTETS) return undefined
    const octets = Buffer.allocUnsafe(this.#length)
    octets.writeUInt32BE(this.#length)
    rest.copy(octets, LENGTH_OCTETS)
    this.#length = undefined
    return octets
  }

  #readLength(): number | undefined {
    const head: Buffer | null = this.socket.read(LENGTH_OCTETS)
    if (head?.length !== LENGTH_OCTETS) return undefined
    const length = head.readUInt32BE()
    if (length >= SHORTEST_PDU && length <= LONGEST_PDU) return length
    throw new PduError(`a PDU of ${length} octets was announced`)
  }

  #take(pdu: Pdu): void {
    this.emit('pdu', pdu)
    this.emit(pdu.command, pdu)
    if (!pdu.isResponse) return
    const onResponse = this.#responses.get(pdu.sequence)
    this.#responses.delete(pdu.sequence)
    onResponse?.(pdu)
  }
}

/** Makes a server of the message centre's side, for the simulator and for tests. */
export const createSmppServer = (listener: (session: Session) => void): Server =>
  createTcpServer(socket => listener(new Session(socket)))

/** Longest time that one connection is read without giving others a turn, in milliseconds. */
const SLICE_MS = 4

/** Longest pause of reading at the limit, in milliseconds; if nothing is done by then, further work is refused. */
const STUCK_MS = 1_000

type Reason = 'slice' | 'full' | 'unread'

export interface ReadLimit {
  /** Takes one piece of work; false at the limit, where it is to be refused. */
  take(): boolean
  /** Ends one piece of work. */
  done(): void
  /** Pieces of work in flight. */
  readonly size: number
  /** Clears the timers. */
  end(): void
}

/**
 * Limits the reading of a session: in short slices, no further ahead than the work that may be in flight, and not while the
 * other side leaves our responses unread.
 * @param most pieces of work in flight at once.
 */
export function createReadLimit(session: Session, most: number): ReadLimit {
  const reasons = new Set<Reason>()
  let size = 0
  let isStuck = false
  let impatient: NodeJS.Timeout | undefined
  let slice: NodeJS.Immediate | undefined
  let sliceEnd = 0

  const hold = (reason: Reason) => {
    reasons.add(reason)
    session.pause()
  }
  const release = (reason: Reason) => {
    if (reasons.delete(reason) && reasons.size === 0) session.resume()
  }
  const nextSlice = () => {
    slice = undefined
    release('slice')
  }
  session.on('pdu', () => {
    if (slice === undefined) {
      slice = setImmediate(nextSlice)
      sliceEnd = performance.now() + SLICE_MS
    } else if (performance.now() >= sliceEnd) hold('slice')
    if (session.socket.writableNeedDrain) hold('unread')
  })
  session.socket.on('drain', () => release('unread'))
  return {
    take() {
      if (size >= most) return false
      size++
      if (size < most || isStuck) return true
      hold('full')
      impatient = setTimeout(() => {
        isStuck = true
        release('full')
      }, STUCK_MS)
      return true
    },
    done() {
      size--
      isStuck = false
      clearTimeout(impatient)
      release('full')
    },
    get size() {
      return size
    },
    end() {
      clearTimeout(impatient)
      if (slice) clearImmediate(slice)
    },
  }
}
