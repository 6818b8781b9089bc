/** Reads the fields of one row by their rules, and reports what is wrong with each by its place. */
import { ServiceError } from '../errors/catalogue.ts'
import { parsePhone } from '../values/phone.ts'
import { InvalidField, type Rule, type Value } from './fields.ts'
import type { AccountRow, IssueList, LineRow } from './rows.ts'

type Fields = Record<string, Rule>

const readValue = (row: AccountRow | LineRow, name: string, rule: Rule, issues: IssueList): Value => {
  try {
    return rule(row.values[name])
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error
    issues.add(`${row.at(name)} ${error.message}`)
    return null
  }
}

/** The values of a row's fields; null for what is absent or wrong. A field that nobody knows is a fault too. */
export function readFields<F extends Fields>(row: AccountRow | LineRow, fields: F, issues: IssueList) {
  for (const name of Object.keys(row.values)) {
    if (!Object.hasOwn(fields, name)) issues.add(`${row.at(name)} is not a field of the directory`)
  }
  const values: Record<string, Value> = {}
  for (const name of Object.keys(fields)) values[name] = readValue(row, name, fields[name]!, issues)
  return values as { [Name in keyof F]: Value }
}

/** A phone or fixed line number as digits with country code; null when it cannot be one. */
export function readPhone(row: LineRow, text: string, countryCode: string, issues: IssueList): string | null {
  try {
    return parsePhone(row.at('number'), text, countryCode)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    issues.add(error.message)
    return null
  }
}
