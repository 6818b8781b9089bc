/** Texts of clients: how long one may be that is no part of a body, and what no database can hold. */
import { type ErrorDetails, invalid, type ServiceError } from '../errors/catalogue.ts'

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

const join = (path: string, name: string, inList: boolean) =>
  inList ? `${path}[${name}]` : path ? `${path}.${name}` : name

/** The texts in a JSON value, each with its path as a client's engineer would write it (`items[0].name`). */
export function* textsIn(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  const inList = Array.isArray(value)
  for (const [name, field] of Object.entries(value)) yield* textsIn(field, join(path, name, inList))
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
