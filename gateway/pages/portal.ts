/**
 * The built pages of `portal/`: the shell, and the files that it loads, whose names change with their content. A new build
 * is served without a restart.
 */
import { readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { projectPath } from '#core/config/project-files.ts'
import { type Content, createContent } from './content.ts'

/** Folder that `npm run build:pages` writes; each file that is a text stands there in its encoded forms as well. */
const FOLDER = projectPath('portal', 'dist')

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const readIfAny = (file: string): Promise<Buffer | undefined> => readFile(file).catch(() => undefined)

const readAsset = async (file: string): Promise<Content> => {
  const [body, br, gzip] = await Promise.all([
    readFile(file),
    readIfAny(`${file}.br`),
    readIfAny(`${file}.gz`),
  ])
  return {
    ...createContent(TYPES[extname(file)]!, body),
    encoded: { ...(br && { br }), ...(gzip && { gzip }) },
  }
}

/** One build, as it was found. */
interface Build {
  readonly shell: string
  readonly writtenAt: number
  readonly files: ReadonlySet<string>
  readonly contents: Map<string, Promise<Content>>
}

const namesIn = (folder: string) =>
  readdirSync(folder).filter(name => Object.hasOwn(TYPES, extname(name)) && name !== 'index.html')

const readBuild = async (writtenAt: number): Promise<Build> => ({
  shell: await readFile(join(FOLDER, 'index.html'), 'utf8'),
  writtenAt,
  files: new Set(namesIn(join(FOLDER, 'assets'))),
  contents: new Map(),
})

export interface Portal {
  /** The HTML of the shell; undefined where the pages are not built. */
  shell(): Promise<string | undefined>
  /** A file that the shell loads, by its name. */
  asset(name: string): Promise<Content | undefined>
}

/** Finds what was built; looks again each time that the shell is asked for. */
export function createPortal(): Portal {
  let current: Build | undefined
  const find = async (): Promise<Build | undefined> => {
    try {
      const { mtimeMs } = await stat(join(FOLDER, 'index.html'))
      if (current?.writtenAt !== mtimeMs) current = await readBuild(mtimeMs)
    } catch {
      current = undefined
    }
    return current
  }
  return {
    shell: async () => (await find())?.shell,
    async asset(name) {
      const build = current?.files.has(name) ? current : await find()
      if (!build?.files.has(name)) return undefined
      const content = build.contents.get(name) ?? readAsset(join(FOLDER, 'assets', name))
      build.contents.set(name, content)
      return content
    },
  }
}
