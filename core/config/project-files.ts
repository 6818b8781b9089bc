/**
 * Files of the installation: its folder, found by its `package.json` so that a source file may move without its paths
 * changing, and files that one start makes for the next.
 */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import manifest from '#package.json' with { type: 'json' }

const PROJECT_FOLDER = dirname(findPackageJSON(import.meta.url)!)

/** Gives the absolute path of a file or folder of the project, from its parts, e.g. `projectPath('schema', 'api.graphql')`. */
export const projectPath = (...parts: readonly string[]): string => join(PROJECT_FOLDER, ...parts)

/** The version of the program, by which it names itself to receivers. */

export const VERSION: string = manifest.version

const FOLDER = projectPath('node_modules/.cache/partner-graph')

/** The path of a kept file; its name is derived from everything that it was made of. */
export const keptFile = (name: string): string => join(FOLDER, name)

/**
 * Keeps a file, unless the installation may not be written to. It is renamed into place, so that a process that starts
 * at the same time never reads half a file.
 */
export function keepFile(file: string, content: string | Buffer): void {
  const part = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(part, content)
    renameSync(part, file)
  } catch {
    // Made again at the next start.
  }
}

/** The bytes of a kept file; undefined where there is none, or this user may not read it. */
export const keptBytes = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** The content of a kept JSON file; made and kept where there is none, or it is damaged. */
export function keptJson<Content>(file: string, make: () => Content): Content {
  try {
    return JSON.parse(String(keptBytes(file)))
  } catch {
    // It is made below.
  }
  const made = make()
  keepFile(file, JSON.stringify(made))
  return made
}
