/**
 * Takes away one floor after the other and runs what is left: `npm run test:floors -- [--part] [engine|connectors|topology]`.
 * Each run copies the tree without the folder and the tests that belong to it, starts the program there, posts a payment
 * to its webhook, and runs what `npm test` runs; with `--part` the tests of PART alone.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '#core/config/project-files.ts'
import { FLOORS, type Floor } from './floors.ts'

/** Tests that read every source, and tests of services and graph, in about twenty seconds for each floor. */
const PART = [
  'test/architecture.test.ts',
  'test/docs.test.ts',
  'test/contract/lists',
  ...['audit', 'conditions', 'direct-way', 'limits', 'refused-operations'].map(
    name => `test/gateway/graph/${name}`,
  ),
]

const { values, positionals } = parseArgs({
  options: { part: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter(name => !FLOORS.some(floor => floor.name === name))
if (unknown.length > 0)
  throw new Error(
    `no such floor: ${unknown.join(', ')}; there are ${FLOORS.map(({ name }) => name).join(', ')}`,
  )

const filesWithout = ({ name }: Floor): string[] =>
  spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectPath('.'),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
    .stdout.split('\n')
    .filter(file => !file.startsWith(`${name}/`) && !file.startsWith(`test/${name}/`))
    .filter(file => file !== '' && existsSync(projectPath(file)))

/** Files are copied, since Node.js resolves a link to the folder that has the floor. */
const copyTree = (floor: Floor): string => {
  const folder = mkdtempSync(join(tmpdir(), `without-${floor.name}-`))
  for (const file of filesWithout(floor)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    copyFileSync(projectPath(file), join(folder, file))
  }
  symlinkSync(projectPath('node_modules'), join(folder, 'node_modules'))
  return folder
}

const run = (cwd: string, args: readonly string[]): boolean =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd, stdio: 'inherit' })
    .status === 0

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** A line for each test that failed, and for each file that did not load. */
const failuresOf = ({ testResults }: Report): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [`FAILED ${name}: ${message}`] : []
    return failed.map(
      ({ fullName, failureMessages: [reason = ''] }) => `FAILED ${name} ${fullName}: ${reason}`,
    )
  })

const runSuite = (folder: string): Report => {
  const file = join(folder, 'report.json')
  const tests = ['--project', 'embedded', ...(values.part ? PART : ['--project', 'security'])]
  run(folder, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${file}`, ...tests])
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Whether everything passed without the floor. */
const passesWithout = (floor: Floor): boolean => {
  const folder = copyTree(floor)
  try {
    const serves = run(folder, ['test/floors/serve.ts', ...(floor.warning ? [floor.warning] : [])])
    const report = runSuite(folder)
    for (const failure of failuresOf(report)) console.log(failure.slice(0, 600))
    const { numPassedTests, numFailedTests, success } = report
    console.log(
      `without ${floor.name}/: the program ${serves ? 'serves' : 'does not serve'}; ${numPassedTests} tests passed, ${numFailedTests} failed`,
    )
    return serves && success
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const chosen = FLOORS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
// Every floor is tried, whichever fails.
const passed = chosen.map(passesWithout)
if (passed.includes(false)) process.exitCode = 1
