/**
 * Writes docs/ways.md: `npm run docs:ways`. With `--check` it writes nothing. Fails for a way beyond its limit. Each way is walked often enough that caches are filled and operations
 * compiled, then measured a few times; a file counts when it ran every time, so that background sweeps do not. On a busy machine
 * a walk takes so long that there is a sweep in each: one beyond its limit is measured more often.
 */
import { writeFileSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'
import { type Executed, executedDuring } from './coverage.ts'
import { openWalks, type Walk } from './walks.ts'

const WARM = 12
const MEASURED = 4
const MOST_MEASURED = 16

const HEAD = `# The ways through the program

The files that run for a client's request, with the lines of each that are executed, measured by V8 in one process after
everything was read and compiled once (\`npm run docs:ways\`). Start with the largest files.
`

const common = (one: Executed, other: Executed): Executed =>
  new Map(
    [...one]
      .filter(([file]) => other.has(file))
      .map(([file, lines]) => [file, Math.min(lines, other.get(file)!)]),
  )

const sumOf = (executed: Executed) => [...executed.values()].reduce((sum, lines) => sum + lines, 0)

const isWithin = (executed: Executed, { limit }: Walk) =>
  executed.size <= limit.files && sumOf(executed) <= limit.lines

const measure = async (way: Walk): Promise<Executed> => {
  const { prepare, walk } = way
  const once = async (run: () => Promise<Executed | undefined>) => {
    await prepare?.()
    return run()
  }
  for (let n = 0; n < WARM; n++) await once(async () => void (await walk()))
  let found: Executed | undefined
  for (let n = 0; n < MEASURED || (n < MOST_MEASURED && !isWithin(found!, way)); n++) {
    const executed = (await once(() => executedDuring(walk)))!
    found = found ? common(found, executed) : executed
  }
  return found!
}

const sectionOf = ({ title }: Walk, executed: Executed) => {
  const rows = [...executed]
    .toSorted(([one, ours], [other, theirs]) => theirs - ours || one.localeCompare(other))
    .map(([file, lines]) => `| \`${file}\` | ${lines} |`)
  return `## ${title}\n\n${executed.size} files, ${sumOf(executed)} lines.\n\n| file | lines |\n|---|---|\n${rows.join('\n')}\n`
}

await using opened = await openWalks()
const sections: string[] = []
for (const walk of opened.walks) {
  const executed = await measure(walk)
  console.log(`${walk.title}: ${executed.size} files, ${sumOf(executed)} lines`)
  sections.push(sectionOf(walk, executed))
  const { files, lines } = walk.limit
  if (isWithin(executed, walk)) continue
  console.error(`${walk.title} may take at most ${files} files and ${lines} lines`)
  process.exitCode = 1
}
if (!process.argv.includes('--check'))
  writeFileSync(projectPath('docs/ways.md'), [HEAD, ...sections].join('\n'))

// The embedded database keeps a process that has closed it.
process.exit()
