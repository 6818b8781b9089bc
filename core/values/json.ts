/**
 * JSON: its values, the texts in them and the memory that they take, and the scan of a text before it is parsed. In one pass
 * that finds the depth of its nesting, and whether its numbers can be kept. It accepts more than JSON; the parser reports
 * malformed text.
 */
import { invalid, invalidField, type ServiceError } from '../errors/catalogue.ts'

/** Whether a value is an object of JSON: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const join = (path: string, name: string, inList: boolean) =>
  inList ? `${path}[${name}]` : path ? `${path}.${name}` : name

/** The texts in a JSON value, each with its path as a client's engineer would write it (`items[0].name`). */
export function* textsIn(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value]
  if (typeof value !== 'object' || value === null) return
  const inList = Array.isArray(value)
  for (const [name, field] of Object.entries(value)) yield* textsIn(field, join(path, name, inList))
}

const PER_VALUE = 16

/** About how many bytes a value takes, with everything in its lists and plain objects, to bound caches of results. */
export function sizeOfResult(value: unknown): number {
  if (typeof value === 'string') return PER_VALUE + 2 * value.length
  if (typeof value !== 'object' || value === null) return PER_VALUE
  let size = 2 * PER_VALUE
  for (const one of Object.values(value)) size += PER_VALUE + sizeOfResult(one)
  return size
}

/** Far more than the contract's bodies or a query's variables need. */
const MAX_DEPTH = 64
/** Significant digits that a double always keeps exactly. */
const MAX_DIGITS = 15

const QUOTE = 34
const BACKSLASH = 92
const [ZERO, NINE, POINT] = [48, 57, 46]

/** An object or array that the scan is inside of. */
interface Level {
  readonly isArray: boolean
  index: number
  /** Begin and end of the last string of this level, quotes included. */
  textFrom: number
  textTo: number
}

const isDigit = (code: number) => code >= ZERO && code <= NINE

const isEscaped = (text: string, quote: number): boolean => {
  let before = quote
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (quote - before) % 2 === 1
}

/** The position after the string that begins here. */
const endOfText = (text: string, from: number): number => {
  let quote = text.indexOf('"', from + 1)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote < 0 ? text.length : quote + 1
}

const nameOf = (text: string, { textFrom, textTo }: Level): string => {
  const source = text.slice(textFrom, textTo)
  try {
    return source.includes('\\') ? JSON.parse(source) : source.slice(1, -1)
  } catch {
    return source
  }
}

/** The path as a client's engineer would write it: `amounts[1].value`. */
const pathOf = (text: string, levels: readonly Level[]): string =>
  levels
    .map(level => (level.isArray ? `[${level.index}]` : `.${nameOf(text, level)}`))
    .join('')
    .replace(/^\./, '')

const open = (levels: Level[], isArray: boolean) => {
  if (levels.length === MAX_DEPTH)
    throw invalid(`the JSON of the request body must not be nested deeper than ${MAX_DEPTH} levels`)
  levels.push({ isArray, index: 0, textFrom: 0, textTo: 0 })
}

/** State of a scan: the objects and arrays around its position, and the faults found. */
interface Scan {
  readonly levels: Level[]
  readonly faults: ServiceError[]
}

/** Limits of what is reported of one request; no fault follows one with a path that fills the report alone. */
const MAX_FAULTS = 20
const MAX_CHARACTERS = 4_000

/** Whether one more fault would be reported: until then the report has every fault there is. */
export const mayAddFault = (faults: readonly ServiceError[]): boolean =>
  faults.length < MAX_FAULTS && (faults.at(-1)?.message.length ?? 0) < MAX_CHARACTERS

/** Checks the digits that begin here, without zeros at both ends. @returns the position after the number. */
const checkNumber = (text: string, from: number, { levels, faults }: Scan): number => {
  let at = from
  let digits = 0
  let significant = 0
  for (let code = text.charCodeAt(at); isDigit(code) || code === POINT; code = text.charCodeAt(++at)) {
    if (code === POINT) continue
    if (digits > 0 || code !== ZERO) digits++
    if (code !== ZERO) significant = digits
  }
  if (significant > MAX_DIGITS && mayAddFault(faults))
    faults.push(
      invalidField(
        pathOf(text, levels),
        'TOO_MANY_DIGITS',
        `has more than ${MAX_DIGITS} significant digits, which cannot be kept exactly`,
        { limit: { length: MAX_DIGITS } },
      ),
    )
  return endOfExponent(text, at)
}

const endOfExponent = (text: string, from: number): number => {
  if (!'eE'.includes(text.charAt(from) || ' ')) return from
  let at = from + 1
  while (isDigit(text.charCodeAt(at)) || '+-'.includes(text.charAt(at) || ' ')) at++
  return at
}

const recordText = (text: string, from: number, levels: readonly Level[]): number => {
  const to = endOfText(text, from)
  const level = levels.at(-1)
  if (level) Object.assign(level, { textFrom: from, textTo: to })
  return to
}

/** Scans the token at this position. @returns the position after it. */
const step = (text: string, at: number, scan: Scan): number => {
  const { levels } = scan
  const code = text.charCodeAt(at)
  if (code === QUOTE) return recordText(text, at, levels)
  if (isDigit(code)) return checkNumber(text, at, scan)
  const char = text.charAt(at)
  if (char === '{' || char === '[') open(levels, char === '[')
  else if (char === '}' || char === ']') levels.pop()
  else if (char === ',' && levels.length > 0) levels.at(-1)!.index++
  return at + 1
}

/**
 * Looks for content that must not be parsed.
 * @returns a refusal for each number of more than 15 significant digits.
 * @throws ServiceError INVALID_ARGUMENT for nesting beyond 64 levels.
 */
export function scanJson(text: string): readonly ServiceError[] {
  const scan: Scan = { levels: [], faults: [] }
  for (let at = 0; at < text.length; ) at = step(text, at, scan)
  return scan.faults
}

/** Whether an object inherits nothing, or no more than every object does. */
export const isPlainObject = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Copies lists and plain objects, down to the leaves; any other object is the value of a scalar, and stays the same. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson) as T
  if (!isPlainObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value)) result[name] = copyJson((value as Record<string, unknown>)[name])
  return result as T
}

type Fields = Readonly<Record<string, unknown>>

/** Whether two values of data are equal down to the sequence of their fields. Values of scalars are when they are one object. */
export const areEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one)) return Array.isArray(other) && areEqualLists(one, other)
  return !Array.isArray(other) && areEqualObjects(one as Fields, other as Fields)
}

const areEqualLists = (one: readonly unknown[], other: readonly unknown[]): boolean => {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) if (!areEqual(one[index], other[index])) return false
  return true
}

const areEqualObjects = (one: Fields, other: Fields): boolean => {
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other) || !isPlainObject(one)) return false
  const [names, others] = [Object.keys(one), Object.keys(other)]
  if (names.length !== others.length) return false
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!
    if (name !== others[index] || !areEqual(one[name], other[name])) return false
  }
  return true
}
