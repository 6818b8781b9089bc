/** The SMPP library, made to leave alone what it would misread, and the statuses by name. */
import smpp, { type PDU, type Session } from 'smpp'

export type { PduFields } from 'smpp'
export type { Session }
export type Pdu = PDU
export const { PDU: Pdu, Session: SmppSession, createServer } = smpp

/** GSM 03.38 as the library reads and writes it. */
export const libraryGsm = smpp.encodings.ASCII

/**
 * Data coding 0 is the other side's default alphabet. The library takes it for GSM 03.38, and so reads delivery receipts,
 * which are written in ASCII nearly everywhere, with `§` for `_` and `¡` for `@`: message ids have such characters.
 */
smpp.encodings.ASCII = { ...libraryGsm, decode: octets => octets }

const NAMES = new Map(Object.entries(smpp.errors).map(([name, status]) => [status, name]))

/** A command status by its name, e.g. `ESME_RTHROTTLED`; in hexadecimal where it has none. */
export const statusName = (status: number): string => NAMES.get(status) ?? `0x${status.toString(16)}`

/** The command status of a name. */
export const statusOf = (name: string): number => smpp.errors[name]!
