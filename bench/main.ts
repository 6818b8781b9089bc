/** `npm run bench [-- P4 …] [--profile]`: runs the benchmarks named, or all, and writes what they found to `results/`. */
import { type Finding, toTable, writeResults } from './lib/results.ts'

const ALL = ['P0', 'P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P8', 'P9', 'P10', 'P13', 'P14']

/** Profiles of our side, for `--profile`. */
const PROFILE_FLAGS = ['--cpu-prof', '--cpu-prof-dir=node_modules/.cache/partner-graph/profiles']

const args = process.argv.slice(2)
const wanted = args.filter(arg => ALL.includes(arg))
const flags = args.includes('--profile') ? PROFILE_FLAGS : []

const findings: Finding[] = []
for (const id of wanted.length > 0 ? wanted : ALL) {
  console.log(`${id} …`)
  const { run } = (await import(`./${id.toLowerCase()}.ts`)) as {
    run(flags: readonly string[]): Promise<Finding[]>
  }
  const found = await run(flags)
  console.log(toTable(found))
  findings.push(...found)
}
console.log(`\nwritten to ${writeResults(findings)}`)
