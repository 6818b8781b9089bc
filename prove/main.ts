/** `npm run prove`: uses the program as its clients do, hits it with faults, and checks that nothing was lost or done twice. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { judge, report } from './checks/all.ts'
import { wholeAboveZero } from './flags.ts'
import { History } from './history/history.ts'
import { FAULTS } from './nemesis/nemesis.ts'
import { makeRun } from './run.ts'
import { SABOTAGES } from './sabotage/all.ts'
import { TOPOLOGIES, type TopologyName } from './stage/building.ts'

interface Flags {
  readonly minutes: number
  readonly seed: number
  readonly faults?: number
  readonly lanes: number
  readonly topology: TopologyName
  readonly behind?: 'ledger' | 'systems'
  readonly history?: string
  readonly only?: string[]
  readonly sabotage?: string
  readonly check?: string
}

const readNumber =
  (least: number, isWhole: boolean) =>
  (text: string): number => {
    const number = Number(text)
    if (text !== '' && number >= least && (!isWhole || Number.isInteger(number))) return number
    throw new InvalidArgumentError(
      `It must be ${isWhole ? 'a whole number' : 'a number'}, at least ${least}.`,
    )
  }

/** Judges a history, and says so. @returns whether every check holds. */
const judgeFile = async (file: string): Promise<boolean> => {
  const history = await History.read(file)
  const findings = judge(history)
  console.log(report(history, findings))
  return findings.every(({ problems }) => problems.length === 0)
}

const run = async ({ check, history: file, ...flags }: Flags): Promise<void> => {
  if (check !== undefined) {
    process.exitCode = (await judgeFile(check)) ? 0 : 1
    return
  }
  const behind = flags.behind ?? (flags.seed % 2 === 0 ? 'systems' : 'ledger')
  const history = file ?? join(tmpdir(), `prove-${flags.topology}-${flags.seed}.ndjson`)
  await makeRun({ ...flags, behind, history, say: console.log })
  const holds = await judgeFile(history)
  if (!holds) console.log(`The history is ${history}: npm run prove -- --check ${history}`)
  process.exitCode = holds ? 0 : 1
}

await new Command('npm run prove --')
  .description(
    'Uses the program as its clients do, hits it with faults that the seed chooses, and checks that nothing was lost or done twice.',
  )
  .option('--minutes <n>', 'how long faults are made', readNumber(0, false), 1)
  .option('--seed <n>', 'what all choices are made by', readNumber(0, true), 1)
  .option('--faults <n>', 'the most faults', readNumber(0, true))
  .option('--lanes <n>', 'lanes in which faults are made, each beside the others', wholeAboveZero, 1)
  .addOption(new Option('--topology <name>', 'what is started').choices(TOPOLOGIES).default('postgres'))
  .addOption(
    new Option(
      '--behind <what>',
      'what settles: the ledger, or a charging system and a message centre (by the seed)',
    ).choices(['ledger', 'systems']),
  )
  .addOption(
    new Option('--only <fault...>', 'faults to make, by their names').choices(FAULTS.map(({ name }) => name)),
  )
  .addOption(
    new Option('--sabotage <name>', 'start servers that are wrong in one place').choices(
      SABOTAGES.map(({ name }) => name),
    ),
  )
  .option('--history <file>', 'where the history is written (a temporary file)')
  .option('--check <history>', 'check a history again, and run nothing')
  .action(run)
  .parseAsync()
