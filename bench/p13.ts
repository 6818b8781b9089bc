/** P13: operations over the federation audit's own supergraphs, in memory, against Apollo Gateway's executor. */
import { deepStrictEqual } from 'node:assert/strict'
import type { AuditRun, AuditSide } from './lib/audit-process.ts'
import { median } from './lib/compare.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { startWorker } from './lib/worker.ts'

const SECONDS = scaled(5, 1)
const TURNS = scaled(5)
const SIDES: readonly AuditSide[] = ['compiled', 'stock']

const perCpuSecond = ({ operations, cpuSeconds }: AuditRun) => operations / cpuSeconds

/** The lowest and the highest ratio of a turn. */
const spreadOf = (ratios: readonly number[]) =>
  `${Math.min(...ratios).toFixed(1)}-${Math.max(...ratios).toFixed(1)}`

export async function run(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const sides = SIDES.map(() => stack.use(startWorker('audit-process.ts')))
  const [ours, theirs] = await Promise.all(
    sides.map(({ call }, index) => call<string[]>('open', SIDES[index])),
  )
  deepStrictEqual(ours, theirs)
  const measured = SIDES.map((): number[] => [])
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, { call }] of sides.entries()) {
      const one = perCpuSecond(await call<AuditRun>('run', SECONDS))
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  const [mine, other] = measured as [number[], number[]]
  const ratios = mine.map((one, turn) => one / other[turn]!)
  return [
    {
      id: 'P13',
      work: `the largest query of ${ours!.length} suites of the federation audit, per CPU second (turns: ${spreadOf(ratios)})`,
      against: 'Apollo Gateway’s executor, the same subgraphs in memory',
      ours: perSecond(median(mine)),
      theirs: perSecond(median(other)),
      ratio: median(ratios),
      target: '>= 8',
    },
  ]
}
