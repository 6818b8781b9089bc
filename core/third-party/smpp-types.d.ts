/** The part of smpp that is used; it brings no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server as NetServer, Socket } from 'node:net'

  /** Of a message with octets that no encoding was asked to read, `message` is a Buffer. */
  export interface ShortMessage {
    readonly message: string | Buffer
    readonly udh?: readonly Buffer[]
  }

  /** What a PDU is made of; of a response with an error there is nothing but the status. */
  export interface PduFields {
    command_status?: number
    [name: string]: unknown
  }

  export class PDU {
    constructor(command: string, fields?: PduFields)
    readonly command: string
    readonly command_id: number
    readonly command_status: number
    readonly sequence_number: number
    /** Fields and TLVs by name; a TLV that is not known stands under its number. */
    readonly [name: string]: unknown
    isResponse(): boolean
    /** @throws TypeError for a command that has no response. */
    response(fields?: PduFields): PDU
  }

  export class Session extends EventEmitter {
    constructor(options: { socket: Socket })
    readonly socket: Socket
    /** False where the socket is not writable: neither callback is called then. @throws for a field that cannot be written. */
    send(pdu: PDU, onResponse?: (response: PDU) => void, onSent?: (pdu: PDU) => void): boolean
    destroy(): void
    /** Reads no further PDU until `resume`; what the socket has buffered stays there, and the other side is held up. */
    pause(): void
    resume(): void
  }

  interface Encoding {
    match(text: string): boolean
    encode(text: string): Buffer
    decode(octets: Buffer): string | Buffer
  }

  interface Library {
    PDU: typeof PDU
    Session: typeof Session
    /** Read for every message that comes: `ASCII` is GSM 03.38, and what data coding 0 is read by. */
    encodings: Record<'ASCII' | 'LATIN1' | 'UCS2', Encoding>
    /** Names of statuses, e.g. `ESME_RTHROTTLED`, to numbers. */
    errors: Record<string, number>
    createServer(listener: (session: Session) => void): NetServer
  }

  const smpp: Library
  export default smpp
}
