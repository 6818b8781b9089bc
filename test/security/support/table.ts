/** Before all: a file for the figures. After all: the table, printed, and with `WRITE_TABLE=1` kept in docs/reliability.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Figure } from './figures.ts'
import { FORM, SEED } from './form.ts'

const PAGE = join(import.meta.dirname, '../../../docs/reliability.md')
const KEPT = /(<!-- table -->\n)[\s\S]*(<!-- end of table -->)/

const HEAD = [
  '| part | what | cases | faults | longest delay | heap before, after |',
  '|---|---|---:|---:|---:|---|',
]

const toRow = ({ part, what, cases, faults, delayMs, heapMiB }: Figure) =>
  `| ${part} | ${what} | ${cases} | ${faults} | ${delayMs === undefined ? '' : `${Math.round(delayMs)} ms`} | ${heapMiB ? `${heapMiB.map(Math.round).join(', ')} MiB` : ''} |`

const readFigures = (file: string): Figure[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

const isOrdered = (one: Figure, other: Figure) =>
  one.part.localeCompare(other.part) || one.what.localeCompare(other.what)

const toTable = (figures: readonly Figure[]) =>
  [...HEAD, ...figures.toSorted(isOrdered).map(toRow)].join('\n')

const aboutRun = () =>
  `${new Date().toISOString().slice(0, 10)}, form ${FORM}, seed ${SEED}, Node ${process.version}, ${availableParallelism()} cores.`

const keep = (text: string) =>
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(KEPT, (_, open, close) => `${open}${text}\n${close}`),
  )

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-security-'))
  const file = join(folder, 'figures')
  writeFileSync(file, '')
  project.provide('figures', file)
  return () => {
    const figures = readFigures(file)
    rmSync(folder, { recursive: true })
    if (figures.length === 0) return
    const text = `${aboutRun()}\n\n${toTable(figures)}`
    console.log(`\nSecurity: ${text}\n`)
    if (process.env['WRITE_TABLE'] === '1') keep(text)
  }
}
