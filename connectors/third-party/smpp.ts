/**
 * SMPP 3.4 as octets: encodes and decodes PDUs, GSM 03.38 and the names of statuses. This is the only file that names the
 * package smpp (0.5.1, unchanged since 2022), so that another codec can take its place. Framing and sessions are in
 * `connectors/smpp/session.ts`.
 */
import smpp from 'smpp'

/** Mandatory fields and TLVs by their names in SMPP 3.4, e.g. `source_addr`; an unknown TLV by its number. */
export type PduFields = Readonly<Record<string, unknown>>

export interface Pdu {
  /** Name of the command, e.g. `deliver_sm`; `unknown` where SMPP has no such command. */
  readonly command: string
  readonly isResponse: boolean
  /** The `command_status`; 0 is success. */
  readonly status: number
  readonly sequence: number
  /** Values as they came, of any type: their reader checks them. */
  readonly fields: PduFields
}

/** A `short_message` or `message_payload` that was decoded. */
export interface ShortMessage {
  /** Text where the data coding gives the alphabet; octets where it is the message centre's default alphabet. */
  readonly message: string | Buffer
  /** Information elements of the user data header, each with its number and length. */
  readonly udh?: readonly Buffer[]
}

/** Thrown for octets that are no PDU, and for fields that cannot be encoded. */
export class PduError extends Error {
  override name = 'PduError'
}

/** Shortest PDU, in octets: a header without fields. */
export const SHORTEST_PDU = 16

/** Longest PDU that is read, in octets: far above a message with its TLVs, and a bound for the memory of a connection. */
export const LONGEST_PDU = 16_384

const { ASCII: GSM } = smpp.encodings

/**
 * Data coding 0 is the message centre's default alphabet, which the package takes for GSM 03.38. Receipts are written in ASCII
 * nearly everywhere; read as GSM, their message ids would have `§` for `_` and `¡` for `@`. So the octets are left as they are.
 */
smpp.encodings.ASCII = { ...GSM, decode: octets => octets }

/** Decodes GSM 03.38, one septet an octet. */
export const decodeGsm = (octets: Buffer): string => String(GSM.decode(octets))

/**
 * Encodes a PDU. With a status other than 0 it is an error response, which has no fields.
 * @throws PduError for a command that does not exist, or a field that cannot be written.
 */
export function encodePdu(command: string, sequence: number, fields: PduFields, status = 0): Buffer {
  try {
    const pdu = new smpp.PDU(command, status === 0 ? fields : { command_status: status })
    pdu.sequence_number = sequence
    return pdu.toBuffer()
  } catch (error) {
    throw new PduError(`${command} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

/** Decodes one whole PDU. @throws PduError. */
export function decodePdu(octets: Buffer): Pdu {
  const { length } = octets
  if (length < SHORTEST_PDU || length > LONGEST_PDU || octets.readUInt32BE(0) !== length)
    throw new PduError(`no PDU has ${length} octets, or it names another length`)
  try {
    const fields = new smpp.PDU(octets)
    const { command, command_status: status, sequence_number: sequence } = fields
    return { command, isResponse: fields.isResponse(), status, sequence, fields }
  } catch (error) {
    throw new PduError(`a PDU cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Name of the command that responds to a request. */
export const responseCommand = ({ command }: Pdu): string =>
  command === 'unknown' ? 'generic_nack' : `${command}_resp`

const STATUS_NAMES = new Map(Object.entries(smpp.errors).map(([name, status]) => [status, name]))

/** Name of a command status, e.g. `ESME_RTHROTTLED`; the number in hexadecimal where it has none. */
export const statusName = (status: number): string => STATUS_NAMES.get(status) ?? `0x${status.toString(16)}`

/** Command status of a name that SMPP 3.4 defines. */
export const statusOf = (name: string): number => smpp.errors[name]!
