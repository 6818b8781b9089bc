/** The query of an address: parameters by their names, percent-decoded strictly as UTF-8. */
import { invalidField } from '../errors/catalogue.ts'

/** Stands for a value that is not percent-encoded UTF-8. The reader of the parameter refuses it. */
export const NOT_UTF8 = Symbol('not UTF-8')

/** The rest of the sentence that begins with the name of such a parameter. */
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

/** Reads a query, or a form, which is written alike. Parameters whose name is not UTF-8 are unknown ones: left out. */
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

/** 400 INVALID_ARGUMENT for a parameter that is not UTF-8. */
export const notUtf8 = (name: string) => invalidField(name, 'BAD_FORMAT', MUST_BE_UTF8)

/** @throws ServiceError INVALID_ARGUMENT naming the first parameter that is not UTF-8. */
export const requireUtf8 = (query: Query): void => {
  const wrong = Object.keys(query).find(name => [query[name]].flat().includes(NOT_UTF8))
  if (wrong !== undefined) throw notUtf8(wrong)
}
