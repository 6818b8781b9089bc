/** `npm run bench [-- P4 …] [--profile]`: runs the benchmarks named, or all, and writes what they found to `results/`. */
import { readdirSync } from 'node:fs'
import { type Finding, toTable, writeResults } from './lib/results.ts'

const numberIn = (id: string) => Number.parseInt(id.slice(1), 10)

/** Each is a file of this folder; they are run in the order of their numbers. */
const ALL = readdirSync(import.meta.dirname)
  .filter(name => /^p\d+b?\.ts$/.test(name))
  .map(name => `P${name.slice(1, -'.ts'.length)}`)
  .toSorted((a, b) => numberIn(a) - numberIn(b) || a.localeCompare(b))

/** P2b and P4b are measured along with P2 and P4. @throws Error for a name that is none. */
const benchmarkOf = (name: string): string => {
  const found = ALL.find(id => id === name) ?? ALL.find(id => `${id}b` === name)
  if (found === undefined) throw new Error(`${name} is not one of ${ALL.join(', ')}`)
  return found
}

/** Profiles of our side, for `--profile`. */
const PROFILE_FLAGS = ['--cpu-prof', '--cpu-prof-dir=node_modules/.cache/partner-graph/profiles']

const args = process.argv.slice(2)
const wanted = new Set(args.filter(arg => !arg.startsWith('--')).map(benchmarkOf))
const flags = args.includes('--profile') ? PROFILE_FLAGS : []

const findings: Finding[] = []
for (const id of wanted.size > 0 ? wanted : ALL) {
  console.log(`${id} …`)
  const { run } = (await import(`./${id.toLowerCase()}.ts`)) as {
    run(flags: readonly string[]): Promise<Finding[]>
  }
  const found = await run(flags)
  console.log(toTable(found))
  findings.push(...found)
}
console.log(`\nwritten to ${writeResults(findings)}`)
