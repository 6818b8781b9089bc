/** Files that are made of the installation's own and kept with it, so that the next start finds them. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectPath } from './project-folder.ts'

const FOLDER = projectPath('node_modules/.cache/partner-graph')

/** Where a file of this name is kept; the name says what it was made of. */
export const keptFile = (name: string): string => join(FOLDER, name)

/**
 * Keeps a file, unless the installation may not be written to. Renamed into place, so that a process started at the same
 * time never reads half a file.
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

/** The bytes of a kept file; undefined where there is none, or where another user keeps it to himself. */
export const keptBytes = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

const readKept = (file: string): unknown => {
  try {
    return JSON.parse(String(keptBytes(file)))
  } catch {
    return undefined
  }
}

/** What a kept file says, which is JSON; made and kept where there is none, or it is damaged. */
export function keptJson<Content>(file: string, make: () => Content): Content {
  const kept = readKept(file) as Content | undefined
  if (kept !== undefined) return kept
  const made = make()
  keepFile(file, JSON.stringify(made))
  return made
}
