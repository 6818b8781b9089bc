/**
 * Redacts values from graphql-js's messages, which quote a wrong value although it may be a card's security code.
 * A client decides what stands in such a message, so everything here looks at each character a fixed number of times.
 */

/** Far more characters than any message has that quotes nothing. */
const MAX_LENGTH = 1_000

const GOT = 'got invalid value '
const PLACE = /^[\w.[\]]+$/
const DIGIT = /\d/
const QUOTED_KINDS = ['String', 'BlockString', 'Int', 'Float', 'Name']

/** Positions of a text within another, from left to right. */
function* occurrences(text: string, wanted: string): Generator<number> {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) yield at
}

/** Removes the excerpt of the operation from a printed error of graphql-js. */
const withoutExcerpt = (text: string): string => {
  const start = 'GraphQL request:'
  for (const at of occurrences(text, start)) {
    const head = text.slice(0, at)
    if (DIGIT.test(text.charAt(at + start.length)) && head !== head.trimEnd()) return head.trimEnd()
    // A long run of spaces is looked at once: the text before it is not looked at again.
    if (head !== head.trimEnd()) return text
  }
  return text
}

/** Cuts a text at `mark` after `start`, unless the sign of the mark occurs before: `… cannot represent x: 5`. */
const cutAt = (text: string, start: string, mark: string): string => {
  let from = text.indexOf(start)
  while (from >= 0) {
    const end = text.indexOf(mark.charAt(0), from + start.length)
    if (end < 0) return text
    if (end > from + start.length && text.startsWith(mark, end)) return text.slice(0, end)
    from = text.indexOf(start, end)
  }
  return text
}

/** Redacts `Value "…" does not exist`, whatever characters the value has. */
const withoutEnumValue = (text: string): string => {
  const [open, close] = ['Value "', '" does not exist']
  const [from, until] = [text.indexOf(open), text.lastIndexOf(close)]
  if (from < 0 || until < from + open.length) return text
  return `${text.slice(0, from)}The value does not exist${text.slice(until + close.length)}`
}

/** Place of a gotten value, ` at "input.amount"`, or an empty text. */
const placeIn = (got: string): string => {
  const from = got.lastIndexOf(' at "')
  return from >= 0 && got.endsWith('"') && PLACE.test(got.slice(from + 5, -1)) ? got.slice(from) : ''
}

/** Redacts `got invalid value … at "place"; reason`; place and reason are kept where they can be told from the value. */
const withoutGotten = (text: string): string => {
  const from = text.indexOf(GOT)
  if (from < 0) return text
  const head = `${text.slice(0, from)}got an invalid value`
  const reason = text.lastIndexOf(';')
  if (reason < from + GOT.length || text.charAt(reason + 1) !== ' ') return head
  return head + placeIn(text.slice(from + GOT.length, reason)) + text.slice(reason)
}

/** Redacts `found String "…"`. */
const withoutFound = (text: string): string => {
  const last = text.lastIndexOf('"')
  for (const at of occurrences(text, 'found ')) {
    const kind = QUOTED_KINDS.find(name => text.startsWith(`${name} "`, at + 6))
    const open = at + 6 + (kind?.length ?? 0) + 1
    if (kind && last > open) return text.slice(0, open - 1) + text.slice(last + 1)
  }
  return text
}

const STEPS: readonly ((text: string) => string)[] = [
  // First, since only the value of an enum is quoted without being escaped.
  withoutEnumValue,
  withoutExcerpt,
  text => cutAt(text, 'cannot represent ', ': '),
  withoutGotten,
  text => cutAt(text, 'Expected value of type ', ', found '),
  withoutFound,
]

/** Removes the values that a message quotes, and bounds its length. */
export const redactMessage = (message: string): string => {
  const redacted = STEPS.reduce((text, step) => step(text), message)
  return redacted.length > MAX_LENGTH ? `${redacted.slice(0, MAX_LENGTH)}…` : redacted
}

/** Depth in levels; the types of the graph have fewer. */
const MAX_DEPTH = 16

/** Prototype of redacted objects: graphql-js quotes the result of `toJSON` in place of an object's fields. */
const REDACTED = { toJSON: () => '{…}' }

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1))
  const fields = Object.entries(value).map(([name, field]) => [name, redactValue(field, depth + 1)])
  return Object.setPrototypeOf(Object.fromEntries(fields), REDACTED)
}

/**
 * Copies variables for graphql-js to find faults in: the copy has the same fields, and is quoted as `{…}`. Quoting an
 * object of 20,000 fields in each of its faults took a tenth of a second, only for `redactMessage` to remove it again.
 */
export const redactVariables = (variables: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, redactValue(value, 0)]))
