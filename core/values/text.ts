/** Texts of clients: decoding of bytes and query strings, the length of references, and characters that no database can hold. */

import { type ErrorDetails, invalid, invalidField, type ServiceError } from '../errors/catalogue.ts'

/** A byte order mark is ignored, as RFC 8259 §8.1 lets a reader do. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Finds the position of the first byte that is not UTF-8: there the bytes differ from those of their text, written anew. */
const firstWrong = (bytes: Buffer): number => {
  const written = Buffer.from(bytes.toString('utf8'))
  return bytes.findIndex((byte, index) => byte !== written[index])
}

/** Decodes bytes, without a byte order mark; undefined where they are not UTF-8. */
export const findUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes the body of a request, without a byte order mark.
 * @throws ServiceError INVALID_ARGUMENT naming the encoding and the position of the first wrong byte.
 */
export const decodeBody = (bytes: Buffer): string => {
  const text = findUtf8(bytes)
  if (text !== undefined) return text
  throw invalid(
    `the request body must be encoded in UTF-8 (RFC 8259); its byte at position ${firstWrong(bytes)} is not`,
  )
}

/** Largest number of characters of a reference, an identifier or a number (docs/decisions.md, "Values"). */
export const REFERENCE_LENGTH = 256

/** Counts in Unicode code points, as JSON Schema does (2020-12, 6.3.1). Most texts are so short that they need no counting. */
const isLonger = (text: string, longest: number) => text.length > longest && [...text].length > longest

/** Tells whether PostgreSQL can hold a text: it holds neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Replaces the characters that no database can hold by U+FFFD. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Rest of a sentence that begins with the name of a text that no database can hold. */
export const UNSTORABLE = 'must not hold U+0000 or half of a surrogate pair'

/**
 * Checks a reference in a parameter. References in bodies are checked by their schema.
 * @param refuse makes the failure; INVALID_ARGUMENT unless given.
 * @throws ServiceError naming the path where the text is too long, or where no database can hold it.
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
/** Three digits or more, however far apart: a security code has three, a card number more. */
const DIGITS = /\d(?:\D*\d){2}/

/** Formats a wrong value for its sender: short, and without digits that could be a card's. */
export const shown = (value: unknown): string => {
  if (typeof value !== 'string') return String(JSON.stringify(value)).slice(0, MOST_SHOWN)
  const cut = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value
  return JSON.stringify(DIGITS.test(cut) ? cut.replace(/\d/g, '*') : cut)
}

/** Value of a parameter that is not percent-encoded UTF-8. The reader of the parameter refuses it. */
export const NOT_UTF8 = Symbol('not UTF-8')

/** Rest of a sentence that begins with the name of such a parameter. */
export const MUST_BE_UTF8 = 'must be percent-encoded UTF-8'

type QueryValue = string | typeof NOT_UTF8

/** Values by name, several where a parameter was given several times. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>

/** A percent sign that begins no code stands for itself, as in browsers (WHATWG URL, percent-decode). */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi

const decode = (text: string): QueryValue => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(LONE_PERCENT, '%25'))
  } catch {
    return NOT_UTF8
  }
}

/** Parses a query string or a form, which has the same syntax. A parameter whose name is not UTF-8 is left out like any unknown one. */
export const parseQuery = (text: string): Query => {
  const query: Record<string, QueryValue | QueryValue[]> = Object.create(null)
  for (const part of text.split('&')) {
    const [start = '', ...rest] = part.split('=')
    const name = decode(start)
    if (part === '' || name === NOT_UTF8) continue
    const value = decode(rest.join('='))
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === 'object') before.push(value)
    else query[name] = [before, value]
  }
  return query
}

/** Makes the error 400 INVALID_ARGUMENT for a parameter that is not UTF-8. */
export const notUtf8 = (name: string) => invalidField(name, 'BAD_FORMAT', MUST_BE_UTF8)

/** Requires UTF-8 of all parameters. @throws ServiceError INVALID_ARGUMENT naming the first that is not. */
export const requireUtf8 = (query: Query): void => {
  const wrong = Object.keys(query).find(name => [query[name]].flat().includes(NOT_UTF8))
  if (wrong !== undefined) throw notUtf8(wrong)
}
