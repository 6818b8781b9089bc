/** The part of the package smpp that is used; it brings no types of its own. */
declare module 'smpp' {
  class PDU {
    /** @throws TypeError for a command that does not exist. */
    constructor(command: string, fields: Readonly<Record<string, unknown>>)
    /** @throws RangeError or TypeError for octets that are no PDU. */
    constructor(octets: Buffer)
    readonly command: string
    readonly command_status: number
    sequence_number: number
    /** Fields and TLVs by name; an unknown TLV by its number. */
    readonly [name: string]: unknown
    isResponse(): boolean
    /** @throws TypeError or RangeError for a field that cannot be written. */
    toBuffer(): Buffer
  }

  interface Encoding {
    match(text: string): boolean
    encode(text: string): Buffer
    decode(octets: Buffer): string | Buffer
  }

  interface Library {
    PDU: typeof PDU
    /** Alphabets of messages; `ASCII` is GSM 03.38, and is used for data coding 0. */
    encodings: Record<'ASCII' | 'LATIN1' | 'UCS2', Encoding>
    /** Names of statuses, e.g. `ESME_RTHROTTLED`, to numbers. */
    errors: Record<string, number>
  }

  const smpp: Library
  export default smpp
}
