/** `npm run prove:sabotages`: starts servers that are wrong in one place, one after the other, and says which check found it. */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { judge } from '../checks/all.ts'
import { aboveZero } from '../flags.ts'
import { History } from '../history/history.ts'
import { makeRun } from '../run.ts'
import { markdown, readRows, today, writeTable } from '../table.ts'
import { SABOTAGES, sabotageNamed } from './all.ts'
import type { Sabotage } from './sabotage.ts'

const SEED = 28
const MINUTES = 0.25
/** Where a mistake shows under faults alone: so many, within so many minutes. */
const MOST_FAULTS = 8
const FAULT_MINUTES = 3
const SETTLE_MS = 30_000
const CALLS = 600
const SHOWN = 160

interface Found {
  readonly sabotage: Sabotage
  /** Names of the checks that found it. */
  readonly checks: readonly string[]
  /** The first problem in words. */
  readonly problem: string
}

/** A run with a sabotage in it. */
const tryOne = async (sabotage: Sabotage, minutes: number): Promise<Found> => {
  const { name, topology, behind, faults, minutes: own = minutes } = sabotage
  const file = join(tmpdir(), `prove-sabotage-${name}.ndjson`)
  await makeRun({
    topology,
    behind,
    sabotage: name,
    seed: SEED,
    minutes: faults ? FAULT_MINUTES : own,
    settleMs: SETTLE_MS,
    endsToday: !sabotage.showsTomorrow,
    calls: CALLS,
    history: file,
    ...(faults ? { only: faults, faults: MOST_FAULTS } : { faults: 0 }),
  })
  const broken = judge(await History.read(file)).filter(({ problems }) => problems.length > 0)
  if (broken.length > 0) rmSync(file)
  return {
    sabotage,
    checks: broken.map(({ check }) => check.name),
    problem: broken[0]?.problems[0]?.slice(0, SHOWN) ?? '',
  }
}

const rowOf = ({ sabotage, checks }: Found): string[] => [
  `\`${sabotage.name}\``,
  sabotage.mistake,
  checks.map(name => `\`${name}\``).join(', ') || 'nothing',
]

/** Rows of the page stay for sabotages that were not tried this time. */
const tableOf = (found: readonly Found[]): string => {
  const before = new Map(readRows('sabotages').map(cells => [cells[0]!, cells]))
  const now = new Map(found.map(one => [`\`${one.sabotage.name}\``, rowOf(one)]))
  const rows = SABOTAGES.map(({ name }) => now.get(`\`${name}\``) ?? before.get(`\`${name}\``)).filter(
    row => row !== undefined,
  )
  return `${today()}, seed ${SEED}: ${rows.filter(row => row[2] !== 'nothing').length} of ${rows.length} found.\n\n${markdown(
    ['sabotage', 'the mistake', 'found by'],
    rows,
  )}`
}

interface Flags {
  readonly minutes: number
  readonly write?: true
}

const run = async (names: readonly string[], { minutes, write }: Flags): Promise<void> => {
  const chosen = names.length > 0 ? names.map(sabotageNamed) : SABOTAGES
  const found: Found[] = []
  for (const sabotage of chosen) {
    const one = await tryOne(sabotage, minutes).catch((error: Error) => ({
      sabotage,
      checks: [],
      problem: error.message.slice(0, SHOWN),
    }))
    found.push(one)
    console.log(
      `${sabotage.name}: ${one.checks.length > 0 ? `found by ${one.checks.join(', ')}: ${one.problem}` : `NOT FOUND ${one.problem}`}`,
    )
  }
  const missed = found.filter(({ checks }) => checks.length === 0).length
  console.log(`${found.length - missed} of ${found.length} sabotages found`)
  if (write) writeTable('sabotages', tableOf(found))
  process.exitCode = missed > 0 ? 1 : 0
}

await new Command('npm run prove:sabotages --')
  .description(
    'Starts servers that are wrong in one place, one after the other, and says which check found it.',
  )
  .argument('[names...]', 'sabotages to try; all unless given')
  .option('--minutes <n>', 'how long each is used', aboveZero, MINUTES)
  .option('--write', 'write the table of docs/reliability.md')
  .action(run)
  .parseAsync()
