/** The project's own source files, with what each imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PATTERNS = [
  '{core,subgraphs,gateway,engine,connectors,topology,prisma,cli,simulators,bench,prove,test,docs,examples}/**/*.ts',
  'portal/{*.ts,src/**/*.{ts,tsx}}',
  'packages/*/{*.ts,src/**/*.ts}',
  '*.ts',
]

export interface Source {
  /** From the root, with forward slashes. */
  readonly file: string
  readonly text: string
  readonly lines: number
  readonly generated: boolean
  /** Imports of the file: files from the root, packages by name. */
  readonly imports: readonly string[]
  /** The same without what it imports for its types alone. */
  readonly calls: readonly string[]
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"`]([^'"`]+)['"`]/g
const SIDE_EFFECT = /(?:^|\n)import\s*['"]([^'"]+)['"]/g

const TYPES = /(?:^|\n)import type\s[^'"`;]*?from\s*'[^']+'/g

const { imports: ALIASES = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports?: Record<string, string>
}
/** The most specific alias that begins a name decides, as Node.js resolves the `imports` of a package. */
const PREFIXES = Object.entries(ALIASES)
  .map(([alias, target]) => [alias.replace('*', ''), target.replace('*', '')] as const)
  .toSorted(([one], [other]) => other.length - one.length)

/** The file from the root that an import names by a path or an alias; a package by its name. */
const importedFile = (file: string, name: string) => {
  if (name.startsWith('.')) return join(dirname(file), name)
  const [alias, target] = PREFIXES.find(([prefix]) => name.startsWith(prefix)) ?? []
  return alias === undefined ? name : join(target!, name.slice(alias.length))
}

const importsOf = (file: string, text: string) => {
  const found = [...text.matchAll(IMPORT), ...text.matchAll(SIDE_EFFECT)].map(
    ([, one, other]) => one ?? other!,
  )
  return found.map(name => importedFile(file, name))
}

const toSource = (file: string): Source => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const generated = file.includes('/generated/') || file.endsWith('.generated.ts')
  const lines = text.split('\n').length - 1
  const calls = importsOf(file, text.replace(TYPES, ''))
  return { file, text, lines, generated, imports: importsOf(file, text), calls }
}

/** Packages are left out, also those in the folder of a comparison. */
const exclude = (name: string) => name.split('/').includes('node_modules')

export const SOURCES: readonly Source[] = globSync(PATTERNS, { cwd: ROOT, exclude }).toSorted().map(toSource)

/** Sources in a folder, or the file of that name. */
export const sourcesIn = (path: string): Source[] =>
  SOURCES.filter(({ file }) => file === path || file.startsWith(`${path}/`))

/** The text of a file that is no source. */
export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The files that match, from the root. */
export const findFiles = (pattern: string): string[] => globSync(pattern, { cwd: ROOT, exclude }).toSorted()
