/** Files of rows, which exports write as they read them: CSV (RFC 4180) and JSON lines. */

/** A column of rows of one shape. */
export interface Column<Row> {
  readonly name: string
  /** True where clients or customers may have written the text: a spreadsheet must not read it as a formula. */
  readonly free: boolean
  value(row: Row): string | number | boolean | null
}

export interface Format {
  readonly contentType: string
  /** Text before the first row. */
  head(columns: readonly Column<never>[]): string
  line<Row>(columns: readonly Column<Row>[], row: Row): string
}

/**
 * Beginnings of a cell that a spreadsheet may read as a formula (OWASP, "CSV Injection"), with full-width signs, which some
 * programs read like the others, and with invisible characters before them.
 */
const FORMULA = /^[\s\p{C}\p{Z}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n]/

const quote = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Writes a cell. A free text that would be a formula gets an apostrophe before it; our own values stay as they are, so that
 * `+968…` remains a number.
 */
export const csvText = (text: string, free: boolean): string =>
  quote(free && FORMULA.test(text) ? `'${text}` : text)

const cell = <Row>({ free, value }: Column<Row>, row: Row): string => csvText(String(value(row) ?? ''), free)

/** Writes a line of cells that were written before. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: columns => csvLine(columns.map(({ name }) => name)),
    line: (columns, row) => csvLine(columns.map(column => cell(column, row))),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, row) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])))}\n`,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

/** Writes an export: one text for its head and one for each page. */
export async function* write<Row>(
  format: Format,
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const head = format.head(columns)
  if (head) yield head
  for await (const page of pages) yield page.map(row => format.line(columns, row)).join('')
}
