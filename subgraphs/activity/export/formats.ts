/** The formats of an export: CSV (RFC 4180) and JSON lines. */
import type { Column, Exported } from './columns.ts'

export interface Format {
  readonly contentType: string
  /** What stands before the first entry. */
  head(columns: readonly Column[]): string
  line(columns: readonly Column[], entry: Exported): string
}

/**
 * Beginnings of a cell that a spreadsheet takes for a formula, or that lead to one (OWASP, "CSV Injection"): full-width signs too, which
 * some read as the others, and whatever shows nothing before them.
 */
const FORMULA = /^[\s\p{C}\p{Z}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n]/

const quote = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * A cell. Texts that others may have written get an apostrophe before what would be a formula; our own values stay as
 * they are, so that `+968…` remains a number.
 */
const cell = ({ free, value }: Column, entry: Exported): string => {
  const text = String(value(entry) ?? '')
  return quote(free && FORMULA.test(text) ? `'${text}` : text)
}

const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: columns => csvLine(columns.map(({ name }) => name)),
    line: (columns, entry) => csvLine(columns.map(column => cell(column, entry))),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, entry) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, value(entry)])))}\n`,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

/** The texts of an export, one for its head and one for each page. */
export async function* write(
  format: Format,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Exported[]>,
): AsyncGenerator<string> {
  const head = format.head(columns)
  if (head) yield head
  for await (const page of pages) yield page.map(entry => format.line(columns, entry)).join('')
}
