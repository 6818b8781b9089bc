/** A directory as JSON: `{"accounts": [{…, "lines": [{…}]}]}`; faults are named by their path. */
import { ImportError, issueRow, type Row } from './rows.ts'

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ImportError([`The file is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`])
  }
}

const fieldsAt = (place: string) => (field?: string) => (field === undefined ? place : `${place}.${field}`)

const lineRow = (line: unknown, place: string): Row =>
  isObject(line) ? { of: 'line', at: fieldsAt(place), values: line } : issueRow(`${place} must be an object`)

function* accountRows(account: unknown, place: string): Generator<Row> {
  if (!isObject(account)) return yield issueRow(`${place} must be an object`)
  const { lines = [], ...values } = account
  yield { of: 'account', at: fieldsAt(place), values, repeatable: false }
  if (!Array.isArray(lines)) return yield issueRow(`${place}.lines must be an array`)
  for (const [index, line] of lines.entries()) {
    yield lineRow(line, `${place}.lines[${index}]`)
  }
}

/**
 * The rows of a JSON text.
 * @throws ImportError when it is not JSON or not of this form.
 */
export function* parseJson(text: string): Generator<Row> {
  const file = parse(text)
  const accounts = isObject(file) ? file.accounts : undefined
  if (!Array.isArray(accounts))
    throw new ImportError(['The file must be an object with the array "accounts"'])
  for (const [index, account] of accounts.entries()) yield* accountRows(account, `accounts[${index}]`)
}
