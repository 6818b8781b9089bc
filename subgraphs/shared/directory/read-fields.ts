/** Reads the fields of one row by their rules, and reports what is wrong with each by its place. */
import { ServiceError } from '../errors.ts'
import { parsePhone } from '../values/phone.ts'
import { type Rule, type Value, Wrong } from './fields.ts'
import type { AccountRow, Faults, LineRow } from './rows.ts'

type Fields = Record<string, Rule>

const readValue = (row: AccountRow | LineRow, name: string, rule: Rule, faults: Faults): Value => {
  try {
    return rule(row.values[name])
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    faults.add(`${row.at(name)} ${error.message}`)
    return null
  }
}

/** The values of a row's fields; null for what is absent or wrong. A field that nobody knows is a fault too. */
export function readFields<F extends Fields>(row: AccountRow | LineRow, fields: F, faults: Faults) {
  for (const name of Object.keys(row.values)) {
    if (!Object.hasOwn(fields, name)) faults.add(`${row.at(name)} is not a field of the directory`)
  }
  const values: Record<string, Value> = {}
  for (const name of Object.keys(fields)) values[name] = readValue(row, name, fields[name]!, faults)
  return values as { [Name in keyof F]: Value }
}

/** A phone or fixed line number as digits with country code; null when it cannot be one. */
export function readPhone(row: LineRow, text: string, countryCode: string, faults: Faults): string | null {
  try {
    return parsePhone(row.at('number'), text, countryCode)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    faults.add(error.message)
    return null
  }
}
