/** Table of the measurements: on the screen, and in a file a day under `results/`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { SCALE } from './scale.ts'

/** One comparison. A ratio says how our side stands to the other: above 1 is more for rates, and longer for times. */
export interface Finding {
  readonly id: string
  readonly work: string
  readonly against: string
  readonly ours: string
  readonly theirs: string
  readonly ratio: number
  /** E.g. `>= 12`; absent where the figure is for information. */
  readonly target?: string
}

/** A rate as people read it. */
export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`

export const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(2) : Math.round(ms)} ms`

/** The least and the greatest of the turns. */
export const spreadOf = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`

const isMet = ({ ratio, target }: Finding): string => {
  if (!target) return ''
  const [sign, bound] = target.split(' ') as [string, string]
  return (sign === '>=' ? ratio >= Number(bound) : ratio <= Number(bound)) ? 'met' : 'missed'
}

const toLine = (finding: Finding) => {
  const { id, work, against, ours, theirs, ratio, target = '' } = finding
  return `| ${[id, work, against, ours, theirs, ratio.toFixed(2), target, isMet(finding)].join(' | ')} |`
}

export const toTable = (findings: readonly Finding[]): string =>
  [
    '| id | work | against | ours | theirs | ratio | target | |',
    '|---|---|---|---|---|---|---|---|',
    ...findings.map(toLine),
  ].join('\n')

const FOLDER = join(import.meta.dirname, '../results')

/** Writes `results/<date>-<what was run>.md`; returns its name. */
export function writeResults(findings: readonly Finding[]): string {
  mkdirSync(FOLDER, { recursive: true })
  const day = new Date().toISOString().slice(0, 10)
  const ids = [...new Set(findings.map(({ id }) => id))].join('-')
  const file = join(FOLDER, `${day}-${ids}.md`)
  const scale = SCALE === 1 ? '' : ` BENCH_SCALE=${SCALE}: shorter, and of fewer turns.`
  const machine = `Node ${process.versions.node}, ${cpus().length} processors for servers, database and load together.${scale}`
  writeFileSync(file, `# ${day}\n\n${machine} Trust the ratios, not the rates.\n\n${toTable(findings)}\n`)
  return file
}
