/** Before all: a file for the figures. After all: the table, printed, and with `WRITE_TABLE=1` kept in docs/reliability.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

const PAGE = join(import.meta.dirname, '../../docs/reliability.md')
const KEPT = /(<!-- failovers -->\n)[\s\S]*(<!-- end of failovers -->)/

/** One loss of a primary. */
export interface LossFigure {
  readonly round: number
  readonly loss: string
  /** From the loss to the promotion. */
  readonly promotedMs: number
  /** From the promotion to the first payment posted after it, by several hosts and through HAProxy. */
  readonly hostsMs: number
  readonly proxyMs: number
  /** Answers 503 and 504. */
  readonly unavailable: number
  readonly late: number
  /** Payments that were acknowledged until then. */
  readonly told: number
}

declare module 'vitest' {
  interface ProvidedContext {
    losses: string
  }
}

const HEAD = [
  '| loss | primary | promoted after | writes back after the promotion: several hosts | through HAProxy | 503 | 504 | acknowledged so far |',
  '|---:|---|---:|---:|---:|---:|---:|---:|',
]

const secondsText = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const toRow = (one: LossFigure) =>
  `| ${one.round} | ${one.loss} | ${secondsText(one.promotedMs)} | ${secondsText(one.hostsMs)} | ${secondsText(one.proxyMs)} | ${one.unavailable} | ${one.late} | ${one.told} |`

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-failovers-'))
  const file = join(folder, 'losses')
  writeFileSync(file, '')
  project.provide('losses', file)
  return () => {
    const figures: LossFigure[] = readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    rmSync(folder, { recursive: true })
    if (figures.length === 0) return
    const about = `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} cores.`
    const text = `${about}\n\n${[...HEAD, ...figures.map(toRow)].join('\n')}`
    console.log(`\nFailovers: ${text}\n`)
    if (process.env['WRITE_TABLE'] !== '1') return
    const page = readFileSync(PAGE, 'utf8')
    writeFileSync(
      PAGE,
      page.replace(KEPT, (_, open, close) => `${open}${text}\n${close}`),
    )
  }
}
