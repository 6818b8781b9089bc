/** The files that pages load, by a fixed list: from the packages that are installed, and from `assets/`. No CDN. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type Content, createContent } from './content.ts'

const require = createRequire(import.meta.url)
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`))

const PACKAGED = {
  'swagger-ui.js': ['swagger-ui-dist', 'swagger-ui-bundle.js'],
  'swagger-ui-preset.js': ['swagger-ui-dist', 'swagger-ui-standalone-preset.js'],
  'swagger-ui.css': ['swagger-ui-dist', 'swagger-ui.css'],
} satisfies Record<string, [name: string, file: string]>

const OWN = join(import.meta.dirname, 'assets')

const findFiles = (): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(PACKAGED).map(([name, [of, file]]) => [name, join(folderOf(of!), file!)] as const),
    ...readdirSync(OWN).map(file => [file, join(OWN, file)] as const),
  ])

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

const read = async (file: string): Promise<Content> =>
  createContent(TYPES[extname(file)]!, await readFile(file))

/** Finds an asset by its name; each is read at its first request, and kept. */
export function createAssets(): (name: string) => Promise<Content> | undefined {
  const files = findFiles()
  const known = new Map<string, Promise<Content>>()
  return name => {
    const file = files.get(name)
    if (file === undefined) return undefined
    const content = known.get(name) ?? read(file)
    known.set(name, content)
    return content
  }
}
