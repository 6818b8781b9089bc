/** Figures of two sites as a table: printed, and with `WRITE_TABLE=1` kept in docs/scaling.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../docs/scaling.md')
const KEPT = /(<!-- sites -->\n)[\s\S]*(<!-- end of sites -->)/

/** Figures of one subscriber. */
export interface SiteFigure {
  readonly name: string
  /** Delays from the event's time to its arrival, in milliseconds, while the line stood. */
  readonly delays: readonly number[]
  /** From the line's return after the short and the long cut until everything had arrived; undefined at the near site. */
  readonly caughtUpMs: readonly (number | undefined)[]
  readonly events: number
  /** Ends of its connections, by what it was told. */
  readonly endings: readonly string[]
}

/** Part of the values that are no greater. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const HEAD = [
  '| subscriber | events | delay p50 | p99 | caught up after the cut of 20 s | of 75 s | ends of its connections |',
  '|---|---:|---:|---:|---:|---:|---|',
]

const secondsText = (ms: number | undefined) => (ms === undefined ? '' : `${(ms / 1_000).toFixed(1)} s`)

const counted = (endings: readonly string[]): string =>
  [...new Set(endings)].map(one => `${endings.filter(other => other === one).length} × ${one}`).join(', ') ||
  'none'

const toRow = ({ name, delays, caughtUpMs, events, endings }: SiteFigure) => {
  const of = (part: number) => `${Math.round(quantile(delays, part))} ms`
  const cells = [name, events, of(0.5), of(0.99), ...caughtUpMs.map(secondsText), counted(endings)]
  return `| ${cells.join(' | ')} |`
}

/** Prints the table; keeps it where that is wanted. @param about the load, in a sentence. */
export function reportSites(figures: readonly SiteFigure[], about: string): void {
  const when = `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} cores. ${about}`
  const text = `${when}\n\n${[...HEAD, ...figures.map(toRow)].join('\n')}`
  console.log(`\nTwo sites: ${text}\n`)
  if (process.env['WRITE_TABLE'] !== '1') return
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    page.replace(KEPT, (_, open, close) => `${open}${text}\n${close}`),
  )
}
