/** Tables of a replayed day. */
import type { PostedHour } from './day-process.ts'
import type { NodeReading } from './nodes.ts'

/** An hour of the day. */
export interface HourFigures extends PostedHour {
  /** Longest lags by the program's metrics, in seconds. */
  readonly lags: Readonly<Record<'settling' | 'webhooks' | 'timeline', number>>
  readonly settleP99: number
  readonly webhookP99: number
  /** Processor seconds. */
  readonly program: number
  readonly nodes: readonly NodeReading[]
}

const msText = (value: number) => (Number.isNaN(value) ? '' : `${Math.round(value)}`)
const share = (cpuSeconds: number, seconds: number) => `${Math.round((cpuSeconds / seconds) * 100)} %`
const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Table by hour; times in milliseconds, processors as parts of one. @param seconds how long an hour lasted. */
export function dayTable(hours: readonly HourFigures[], seconds: number, names: readonly string[]): string {
  const head = [
    ...[
      'hour',
      'posts/s',
      'not 201',
      'post p50',
      'post p99',
      'settled p99',
      'webhook p99',
      'timeline lag, most',
    ],
    ...['program', ...names.map(name => `processor of ${name}`)],
  ]
  const lines = hours.map((one, hour) =>
    rowOf([
      String(hour),
      (one.sent / seconds).toFixed(0),
      String(one.sent - one.accepted),
      ...[one.p50, one.p99, one.settleP99, one.webhookP99, one.lags.timeline * 1_000].map(msText),
      ...[one.program, ...one.nodes.map(({ cpuSeconds }) => cpuSeconds)].map(used => share(used, seconds)),
    ]),
  )
  const others = hours.flatMap((one, hour) =>
    Object.entries(one.others).map(([what, count]) => `Hour ${hour}: ${count} × ${what}`),
  )
  return [
    rowOf(head),
    rowOf(head.map(() => '---:')),
    ...lines,
    ...(others.length > 0 ? ['', ...others] : []),
  ].join('\n')
}

/** Use of the nodes over the whole day. */
export interface NodeUse {
  readonly names: readonly string[]
  readonly holds: readonly string[]
  readonly used: readonly NodeReading[]
  /** Bytes by which each grew. */
  readonly grown: readonly number[]
  /** Processor seconds of the program. */
  readonly program: number
  /** Transactions that were accepted. */
  readonly total: number
}

/** Table by node, for one transaction. */
export function nodeTable({ names, holds, used, grown, program, total }: NodeUse): string {
  const all = used.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  const each = (value: number) => (value / total).toFixed(0)
  const lines = names.map((name, index) => {
    const { cpuSeconds, walBytes } = used[index]!
    const cells = [
      each(cpuSeconds * 1e6),
      `${Math.round((cpuSeconds / all) * 100)} %`,
      each(walBytes),
      each(grown[index]!),
    ]
    return rowOf([name, holds[index]!, ...cells])
  })
  const head = ['node', 'holds', 'processor, µs a transaction', 'of all nodes', 'log, bytes', 'disk, bytes']
  return [
    rowOf(head),
    rowOf(head.map((_, index) => (index < 2 ? '---' : '---:'))),
    ...lines,
    rowOf(['the program', '', each(program * 1e6), '', '', '']),
  ].join('\n')
}
