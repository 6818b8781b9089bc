/** A directory as CSV: a header line, then one row a line of an account; faults are named by their line number. */
import { pipeline, type Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { ACCOUNT_FIELDS } from './fields.ts'
import { ImportError, issueRow, type Row } from './rows.ts'

/** The columns of a line, and what JSON calls them. */
const LINE_COLUMNS: Record<string, string> = {
  lineKind: 'kind',
  lineNumber: 'number',
  lineActive: 'active',
  prepaidBalance: 'prepaidBalance',
  pointsBalance: 'pointsBalance',
}
const COLUMN_OF_FIELD = new Map(Object.entries(LINE_COLUMNS).map(([column, field]) => [field, column]))
/** All columns that a file may have, those of the account first. */
export const COLUMNS = [...Object.keys(ACCOUNT_FIELDS), ...Object.keys(LINE_COLUMNS)]

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
    ([sign]) => only!.split(sign).some(one => COLUMNS.includes(one.trim())) && only!.includes(sign),
  )
  return (
    found &&
    `line 1: the columns are separated by ${found[1]}; separate them by commas (in a spreadsheet: save as CSV with commas)`
  )
}

const headerFaults = (header: string[]) => {
  const separated = separatorFault(header)
  if (separated) return [separated]
  const unknown = header.filter(column => !COLUMNS.includes(column))
  const twice = header.filter((column, index) => header.indexOf(column) !== index)
  const missing = header.includes('customerAccountNumber') ? [] : ['customerAccountNumber']
  return [
    ...unknown.map(
      column => `line 1: unknown column ${JSON.stringify(column)}; known are ${COLUMNS.join(', ')}`,
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
 * The rows of a CSV stream, read as they come.
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
