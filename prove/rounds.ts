/** `npm run prove:rounds`: run after run, each with the next seed and the next topology, and a table of all; `--ci` a bounded form. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CHECKS, type Finding, judge, report } from './checks/all.ts'
import { aboveZero, wholeAboveZero } from './flags.ts'
import { History } from './history/history.ts'
import { makeRun, type RunOptions } from './run.ts'
import { TOPOLOGIES, type TopologyName } from './stage/building.ts'
import { CAN_MAKE_CLUSTERS } from './stage/cluster.ts'
import { markdown, today, writeTable } from './table.ts'

type Plan = Pick<RunOptions, 'seed' | 'topology' | 'behind' | 'minutes' | 'faults' | 'lanes'>

/** Figures of a run that are kept; its history would be too much. */
interface Done {
  readonly plan: Plan
  readonly minutes: number
  /** Names of the faults that were made. */
  readonly faults: readonly string[]
  readonly calls: number
  readonly acknowledged: number
  readonly events: number
  readonly webhooks: number
  /** Names of the checks that do not hold. */
  readonly broken: readonly string[]
}

const summarize = (plan: Plan, minutes: number, history: History, findings: readonly Finding[]): Done => ({
  plan,
  minutes,
  faults: history.faults.filter(({ phase }) => phase === 'begin').map(({ name }) => name),
  calls: history.exchanges.size,
  acknowledged: history.attempts.filter(({ outcome }) => outcome.is === 'written').length,
  events: history.events.length,
  webhooks: history.hooks.length,
  broken: findings.filter(({ problems }) => problems.length > 0).map(({ check }) => check.name),
})

/** Of a long form, so that many faults overlap. */
const LANES = 3

const behindOf = (seed: number) => (seed % 2 === 0 ? 'systems' : 'ledger')

/** Patroni loses a primary in half a minute: `npm run test:failover` does so in CI. */
const ON_ONE_MACHINE = TOPOLOGIES.filter(name => name !== 'patroni')

/** Twenty faults: the same seeds each time. */
const ciPlans = (): Plan[] => {
  const topologies: readonly TopologyName[] = CAN_MAKE_CLUSTERS ? ON_ONE_MACHINE : ['embedded']
  if (!CAN_MAKE_CLUSTERS)
    console.warn('Without PostgreSQL the embedded database alone is tried: apt-get install postgresql')
  return topologies.map((topology, index) => ({
    seed: index + 1,
    topology,
    behind: behindOf(index + 1),
    minutes: 1.5,
    faults: 20 / topologies.length,
  }))
}

/** Each topology is met with both kinds of systems behind it. */
function* endlessPlans({
  seed,
  each: minutes,
  lanes,
  topology: topologies = ON_ONE_MACHINE,
}: Flags): Generator<Plan> {
  for (let n = 0; ; n++) {
    const topology = topologies[Math.floor((seed + n) / 2) % topologies.length]!
    yield { seed: seed + n, topology, behind: behindOf(seed + n), minutes, lanes }
  }
}

/** The history of a run that holds is thrown away. */
const play = async (plan: Plan, folder: string): Promise<Done> => {
  const file = join(folder, `${plan.topology}-${plan.seed}.ndjson`)
  const began = Date.now()
  await makeRun({ ...plan, history: file, say: text => console.log(`seed ${plan.seed}: ${text}`) })
  const history = await History.read(file)
  const findings = judge(history)
  console.log(report(history, findings))
  const done = summarize(plan, (Date.now() - began) / 60_000, history, findings)
  if (done.broken.length === 0) rmSync(file)
  else console.log(`The history is ${file}`)
  return done
}

const total = (runs: readonly Done[], count: (run: Done) => number): number =>
  runs.reduce((sum, run) => sum + count(run), 0)

const rowOf = (name: string, runs: readonly Done[]): (string | number)[] => [
  name,
  runs.length,
  Math.round(total(runs, ({ minutes }) => minutes)),
  total(runs, ({ faults }) => faults.length),
  total(runs, ({ calls }) => calls),
  total(runs, ({ acknowledged }) => acknowledged),
  total(runs, ({ events }) => events),
  total(runs, ({ webhooks }) => webhooks),
  runs.flatMap(({ plan, broken }) => broken.map(check => `\`${check}\` (seed ${plan.seed})`)).join(', ') ||
    'none',
]

/** Tables of all runs: by topology, and by fault. */
const tablesOf = (runs: readonly Done[]): string => {
  const byPlace = Map.groupBy(runs, ({ plan }) => `${plan.topology}, ${plan.behind}`)
  const byFault = Map.groupBy(
    runs.flatMap(({ faults }) => faults),
    name => name,
  )
  const head = [
    'where',
    'runs',
    'minutes',
    'faults',
    'calls',
    'acknowledged',
    'events seen',
    'webhooks',
    'checks broken',
  ]
  const rows = [...byPlace].map(([name, own]) => rowOf(name, own))
  const faults = [...byFault]
    .map(([name, own]) => [name, own.length])
    .toSorted((a, b) => Number(b[1]) - Number(a[1]))
  const seeds = runs.map(({ plan }) => plan.seed).toSorted((a, b) => a - b)
  return [
    `${today()}, Node ${process.version}, seeds ${seeds.join(', ')}.`,
    markdown(head, [...rows, rowOf('all', runs)]),
    markdown(['fault', 'times'], faults),
  ].join('\n\n')
}

const checksTable = (): string =>
  markdown(
    ['check', 'holds'],
    CHECKS.map(({ name, claim }) => [`\`${name}\``, claim]),
  )

interface Flags {
  readonly ci?: true
  readonly minutes: number
  readonly each: number
  readonly seed: number
  readonly lanes: number
  readonly topology?: TopologyName[]
  readonly results?: string
  readonly write?: true
}

/** Results of earlier rounds, a line for each run. */
const readResults = (file: string): Done[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    : []

const run = async (flags: Flags): Promise<void> => {
  const { ci, minutes, results, write } = flags
  const folder = join(tmpdir(), 'prove')
  mkdirSync(folder, { recursive: true })
  const until = Date.now() + minutes * 60_000
  const runs: Done[] = results ? readResults(results) : []
  const before = runs.length
  for (const plan of ci ? ciPlans() : endlessPlans(flags)) {
    if (!ci && Date.now() >= until) break
    const done = await play(plan, folder)
    runs.push(done)
    if (results) appendFileSync(results, `${JSON.stringify(done)}\n`)
  }
  if (write && runs.length > 0) writeTable('rounds', tablesOf(runs))
  if (write) writeTable('checks', checksTable())
  const now = runs.slice(before)
  const broken = now.filter(one => one.broken.length > 0).length
  console.log(
    `${now.length - broken} of ${now.length} runs hold, ${total(now, ({ faults }) => faults.length)} faults`,
  )
  process.exitCode = broken > 0 ? 1 : 0
}

const notNegative = (text: string): number => {
  const number = Number(text)
  if (text !== '' && number >= 0) return number
  throw new InvalidArgumentError('It must be a number, at least 0.')
}

await new Command('npm run prove:rounds --')
  .description('Makes run after run, each with the next seed and the next topology, and checks each.')
  .option('--minutes <n>', 'minutes after which no run is begun any more; 0 for none at all', notNegative, 30)
  .option('--each <n>', 'minutes of faults in each run', aboveZero, 2)
  .option('--seed <n>', 'the first seed', aboveZero, 100)
  .option('--lanes <n>', 'lanes in which faults are made, each beside the others', wholeAboveZero, LANES)
  .addOption(
    new Option('--topology <name...>', 'what is started, in turn; all but patroni unless given').choices(
      TOPOLOGIES,
    ),
  )
  .option('--ci', 'instead, twenty faults with fixed seeds')
  .option('--results <file>', 'a file that keeps what runs came to, so that rounds can be made in parts')
  .option('--write', 'write the tables of docs/reliability.md')
  .action(run)
  .parseAsync()
