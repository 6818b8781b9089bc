/** The snippets of docs/portal.md as the project that they are files of. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { blocksOf } from '../support/docs.ts'
import { readText } from '../support/sources.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Packages of portals, which this project does not install. */
const ABSENT = /^import (?:type )?(?:\{[^}]*\}) from '(?:@apollo|@urql)\/[^']+'$/gm

/** By file name, which is the first line of each. */
export const SNIPPETS: ReadonlyMap<string, string> = new Map(
  blocksOf(readText('docs/portal.md'))
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)![1]!, text]),
)

/** Whether everything it imports is installed here. */
export const isWhole = (text: string): boolean => text.match(ABSENT) === null

export interface Project extends Disposable {
  readonly folder: string
  /** The module of a file. */
  load<T>(file: string): Promise<T>
}

/** Writes them into a folder that finds the packages of this project; `change` may write something else. */
export function writeProject(change: (text: string, file: string) => string = text => text): Project {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [file, text] of SNIPPETS) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), change(text, file))
  }
  return {
    folder,
    load: file => import(pathToFileURL(join(folder, file)).href),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What of the absent packages says nothing but which arguments were given to it. */
const STAND_INS = `const relayStylePagination = (keyArgs: string[] = []) => ({ keyArgs })
const relayPagination = () => 'paged'
const cacheExchange = (options: object) => options
`

/** The text with the absent imports replaced, so that what it declares can be looked at. */
export const declarationsOf = (text: string): string =>
  isWhole(text) ? text : STAND_INS + text.replaceAll(ABSENT, '')
