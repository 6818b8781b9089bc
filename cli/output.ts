/** The output of commands: one JSON line for programs, plain text for people, and the text of a failure. */
import { faultText, lastLine } from '#core/data/database-errors.ts'
import { ImportError } from '#core/directory/rows.ts'
import { ServiceError } from '#core/errors/catalogue.ts'

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** `--json`: the value on one line; else the text. */
export const printResult = (json: boolean | undefined, value: unknown, text: () => string): void =>
  print(json ? JSON.stringify(value) : text())

/** Left-aligned columns, two spaces apart, under the headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map(row => row[column]!.length)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return all.map(row => line(row).trimEnd()).join('\n')
}

const SPOKEN = [ImportError, ServiceError]

/** The message of a failure to print after `error: `, without a stack. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (SPOKEN.some(kind => error instanceof kind)) return error.message
  return faultText(error) ?? lastLine(error)
}
