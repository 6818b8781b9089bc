/**
 * Reads a directory file in the format that its name ends with. CSV has a header line, then one row for a line of an account,
 * and its faults are named by line number. JSON is `{"accounts": [{…, "lines": [{…}]}]}`, and its faults are named by path.
 */

import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { isObject } from '../values/json.ts'
import { ACCOUNT_FIELDS } from './fields.ts'
import { ImportError, issueRow, type Row } from './rows.ts'

/** The columns of a line in CSV, and their names in JSON. */
const LINE_COLUMNS: Record<string, string> = {
  lineKind: 'kind',
  lineNumber: 'number',
  lineActive: 'active',
  prepaidBalance: 'prepaidBalance',
  pointsBalance: 'pointsBalance',
}
const COLUMN_OF_FIELD = new Map(Object.entries(LINE_COLUMNS).map(([column, field]) => [field, column]))
/** All columns that a file may have, those of the account first. */
export const IMPORT_COLUMNS = [...Object.keys(ACCOUNT_FIELDS), ...Object.keys(LINE_COLUMNS)]

/** One record of the file, and the number of the line it ends on. */
interface Entry {
  info: { lines: number }
  record: string[]
}

/** Separators that spreadsheets write in place of the comma, by their names. */
const SEPARATORS = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' }

const separatorFault = (header: string[]): string | undefined => {
  const [only] = header.length === 1 ? header : ['']
  const found = Object.entries(SEPARATORS).find(
    ([sign]) => only!.split(sign).some(one => IMPORT_COLUMNS.includes(one.trim())) && only!.includes(sign),
  )
  return (
    found &&
    `line 1: the columns are separated by ${found[1]}; separate them by commas (in a spreadsheet: save as CSV with commas)`
  )
}

const headerFaults = (header: string[]) => {
  const separated = separatorFault(header)
  if (separated) return [separated]
  const unknown = header.filter(column => !IMPORT_COLUMNS.includes(column))
  const twice = header.filter((column, index) => header.indexOf(column) !== index)
  const missing = header.includes('customerAccountNumber') ? [] : ['customerAccountNumber']
  return [
    ...unknown.map(
      column => `line 1: unknown column ${JSON.stringify(column)}; known are ${IMPORT_COLUMNS.join(', ')}`,
    ),
    ...twice.map(column => `line 1: column ${column} stands there twice`),
    ...missing.map(column => `line 1: column ${column} is missing; the first line must be the header`),
  ]
}

const readHeader = (header: string[]) => {
  const issues = headerFaults(header)
  if (issues.length > 0) throw new ImportError(issues)
  return header.map((column, index) => ({ index, field: LINE_COLUMNS[column], column }))
}

type Columns = ReturnType<typeof readHeader>

const pick = (columns: Columns, record: string[], ofLine: boolean) => {
  const filled = columns.filter(
    ({ field, index }) => (field !== undefined) === ofLine && record[index] !== '',
  )
  return Object.fromEntries(filled.map(({ field, column, index }) => [field ?? column, record[index]]))
}

function* recordRows(columns: Columns, { info, record }: Entry): Generator<Row> {
  const place = `line ${info.lines}`
  if (record.length !== columns.length) {
    return yield issueRow(
      `${place} must have ${columns.length} columns, as the header has, not ${record.length}`,
    )
  }
  const at = (field?: string) =>
    field === undefined ? place : `${place}, ${COLUMN_OF_FIELD.get(field) ?? field}`
  yield { of: 'account', at, values: pick(columns, record, false), repeatable: true }
  const line = pick(columns, record, true)
  if (Object.keys(line).length > 0) yield { of: 'line', at, values: line }
}

const CSV_OPTIONS = {
  bom: true,
  info: true,
  trim: true,
  relaxColumnCount: true,
  skipEmptyLines: true,
  skipRecordsWithEmptyValues: true,
}

async function* readRecords(source: Readable): AsyncGenerator<Entry> {
  const records = pipeline(source, parse(CSV_OPTIONS), () => undefined)
  try {
    yield* records as AsyncIterable<Entry>
  } catch (error) {
    if (!(error as CsvError).code?.startsWith('CSV_')) throw error
    throw new ImportError([`line ${(error as CsvError).lines ?? '?'}: ${(error as Error).message}`])
  }
}

/**
 * Reads the rows of a CSV stream as they come.
 * @throws ImportError when the header or the quoting is wrong.
 */
export async function* parseCsv(source: Readable): AsyncGenerator<Row> {
  let columns: Columns | undefined
  for await (const entry of readRecords(source)) {
    if (columns) yield* recordRows(columns, entry)
    else columns = readHeader(entry.record)
  }
  if (!columns) throw new ImportError(['The file is empty; its first line must be the header'])
}

const readJson = (text: string): unknown => {
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
 * Reads the rows of a JSON text.
 * @throws ImportError when it is not JSON or not of this form.
 */
export function* parseJson(text: string): Generator<Row> {
  const file = readJson(text)
  const accounts = isObject(file) ? file['accounts'] : undefined
  if (!Array.isArray(accounts))
    throw new ImportError(['The file must be an object with the array "accounts"'])
  for (const [index, account] of accounts.entries()) yield* accountRows(account, `accounts[${index}]`)
}

/** Whether bytes begin as UTF-16 does: with a byte order mark, or a Latin letter or bracket beside a zero. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0) !== (second === 0)

const checkEncoding = async (path: string): Promise<void> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  if (bytesRead === 2 && isUtf16(buffer))
    throw new ImportError([`${path} is UTF-16; save it as UTF-8 (in a spreadsheet: "CSV UTF-8")`])
}

/** Reads the rows of a `.json` or `.csv` file. */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const extension = extname(path).toLowerCase()
  if (extension !== '.json' && extension !== '.csv')
    throw new ImportError([`${path} must end with .json or .csv`])
  await checkEncoding(path)
  if (extension === '.json') yield* parseJson(await readFile(path, 'utf8'))
  else yield* parseCsv(createReadStream(path))
}
