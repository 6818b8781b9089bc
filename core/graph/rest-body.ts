/** A mutation's input as the REST body it stands for, so that one validator and one service serve REST and GraphQL. */
import { invalidField } from '../errors/catalogue.ts'
import { Decimal, toJsonNumber } from '../values/decimal.ts'
import { CalendarDay } from '../values/time.ts'

const toNumber = (path: string, value: Decimal): number => {
  try {
    return toJsonNumber(value)
  } catch {
    throw invalidField(path, 'TOO_MANY_DIGITS', 'has more digits than can be kept exactly')
  }
}

/** Null means absent, a Decimal is a JSON number, an instant or a day is its text. */
export function toRestBody(value: unknown, path = ''): unknown {
  if (Decimal.isDecimal(value)) return toNumber(path, value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof CalendarDay) return value.day
  if (Array.isArray(value)) return value.map((item, index) => toRestBody(item, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(
    given.map(([name, field]) => [name, toRestBody(field, path ? `${path}.${name}` : name)]),
  )
}
