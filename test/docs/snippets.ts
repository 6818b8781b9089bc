/** The snippets of docs/portal.md as the project that they are files of. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { blocksOf } from '../support/docs.ts'
import { readText } from '../support/sources.ts'

const ROOT = join(import.meta.dirname, '../..')

/** By file name, which is the first line of each. */
export const SNIPPETS: ReadonlyMap<string, string> = new Map(
  blocksOf(readText('docs/portal.md'))
    .filter(({ language }) => /^tsx?$/.test(language))
    .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)![1]!, text]),
)

/** The page's first subscription. */
export const DESK: string = blocksOf(readText('docs/portal.md')).find(({ text }) =>
  text.startsWith('subscription'),
)!.text

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

/** The files that the page's codegen configuration generates from documents, by path within the project. */
export async function generateFrom(
  project: Project,
  documents: string | string[],
  more: object = {},
): Promise<ReadonlyMap<string, string>> {
  const { default: config } = await project.load<{ default: CodegenConfig }>('codegen.ts')
  const [target, output] = Object.entries(config.generates)[0]!
  const generates = { [target]: { ...(output as object), ...more } }
  const options = { generates, schema: 'schema/api.graphql', documents, silent: true, errorsOnly: true }
  const files: { filename: string; content: string }[] = await generate(options, false)
  return new Map(files.map(({ filename, content }) => [join(filename), content]))
}

/** Generates the typed document of the page's first subscription, which the page has saved in `src/`. */
export async function writeTypes(project: Project): Promise<void> {
  const types = (await generateFrom(project, DESK)).get('src/gql/graphql.ts')!
  mkdirSync(join(project.folder, 'src/gql'))
  writeFileSync(join(project.folder, 'src/gql/graphql.ts'), types)
}
