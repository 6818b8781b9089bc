/** The output of commands: one JSON line for programs, plain text for people, progress, and the text of a failure. */
import cliProgress, { type GenericFormatter } from 'cli-progress'
import { faultText, lastLine } from '#core/data/database-errors.ts'
import { ImportError } from '#core/directory/rows.ts'
import { ServiceError } from '#core/errors/catalogue.ts'

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Prints what is to be known beside the result, on standard error. */
export const warn = (text: string): void => void process.stderr.write(`warning: ${text}\n`)

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

/** Thrown by a command that has printed its result, and ends with this exit code. */
export class ExitCode extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit code ${code}`)
    this.name = 'ExitCode'
    this.code = code
  }
}

const SPOKEN = [ImportError, ServiceError]

/** The message of a failure to print after `error: `, without a stack. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const fault = faultText(error)
  return fault ?? (SPOKEN.some(kind => error instanceof kind) ? error.message : lastLine(error))
}

/** How far a command has come. */
interface Progress {
  /** Present participle: `checking`. */
  readonly step: string
  readonly done: number
  /** Undefined as long as it is not known. */
  readonly total?: number | undefined
}

interface ProgressBar extends Disposable {
  show(progress: Progress): void
}

const QUIET: ProgressBar = { show: () => undefined, [Symbol.dispose]: () => undefined }

/** Format of the progress bar: without a bar as long as the total is not known. */
const format: GenericFormatter = (options, { progress, value, total }, { step, isKnown }) =>
  isKnown
    ? `${step} [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} rows`
    : `${step} ${value} rows`

/** Makes a progress bar on standard error if that is a terminal, so that it never mixes with the result. */
export function progressBar(stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!stream.isTTY) return QUIET
  const bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true })
  bar.start(1, 0, { step: 'beginning', isKnown: false })
  return {
    show: ({ step, done, total }) => {
      bar.setTotal(total ?? done)
      bar.update(done, { step, isKnown: total !== undefined })
    },
    [Symbol.dispose]: () => bar.stop(),
  }
}
