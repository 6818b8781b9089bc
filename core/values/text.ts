/** Texts of clients: how bytes are read as text, how long a reference may be, and what no database can hold. */
import { type ErrorDetails, invalid, type ServiceError } from '../errors/catalogue.ts'

/** A byte order mark is ignored, as RFC 8259 §8.1 lets a reader do. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Before it, the bytes are what their text would be written as. */
const firstWrong = (bytes: Buffer): number => {
  const written = Buffer.from(bytes.toString('utf8'))
  return bytes.findIndex((byte, index) => byte !== written[index])
}

/** The text of the bytes, without a byte order mark; undefined where they are not UTF-8. */
export const findUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The text of a request's body, without a byte order mark.
 * @throws ServiceError INVALID_ARGUMENT naming the encoding and the first byte that is none of it.
 */
export const decodeBody = (bytes: Buffer): string => {
  const text = findUtf8(bytes)
  if (text !== undefined) return text
  throw invalid(
    `the request body must be encoded in UTF-8 (RFC 8259); its byte at position ${firstWrong(bytes)} is not`,
  )
}

/** Characters of a reference, an identifier or a number (docs/decisions.md, "Values"). */
export const REFERENCE_LENGTH = 256

/** Unicode code points, as JSON Schema counts (2020-12, 6.3.1); most texts need no counting. */
const isLonger = (text: string, longest: number) => text.length > longest && [...text].length > longest

/** PostgreSQL holds neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export const UNSTORABLE = 'must not hold U+0000 or half of a surrogate pair'

/**
 * Checks a reference that stands in a parameter, not in a body.
 * @param refuse makes the failure: INVALID_ARGUMENT, where nothing else is declared.
 * @throws ServiceError naming the path when it is too long, or can stand in no database.
 */
export const checkReference = (
  path: string,
  text: string,
  refuse: (message: string, details: ErrorDetails) => ServiceError = invalid,
): void => {
  if (isLonger(text, REFERENCE_LENGTH)) {
    const message = `${path} must not be longer than ${REFERENCE_LENGTH} characters`
    throw refuse(message, { field: path, reason: 'TOO_LONG' })
  }
  if (!isStorable(text)) throw refuse(`${path} ${UNSTORABLE}`, { field: path, reason: 'BAD_CHARACTERS' })
}

const MOST_SHOWN = 64
/** As many as a security code has, or a card number. */
const DIGITS = /\d(?:\D*\d){2}/

/** A wrong value as its sender is told it: short, and without digits that could be a card's. */
export const shown = (value: unknown): string => {
  if (typeof value !== 'string') return String(JSON.stringify(value)).slice(0, MOST_SHOWN)
  const cut = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value
  return JSON.stringify(DIGITS.test(cut) ? cut.replace(/\d/g, '*') : cut)
}
