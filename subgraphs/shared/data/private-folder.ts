/** The embedded database is nobody else's: its folder, and what is written there, is for this user alone. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs'

const OWNER_ONLY = 0o700
const HIDDEN_FROM_OTHERS = 0o077

const isNotOurs = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPERM'

/** Takes others' rights to a folder away; one of another owner (a mounted volume) stays as its owner made it. */
export function closeToOthers(folder: string): void {
  try {
    if (existsSync(folder)) chmodSync(folder, OWNER_ONLY)
  } catch (error) {
    if (!isNotOurs(error)) throw error
  }
}

/** Makes the folder if it is not there, and closes it; from here on this process writes files for its user alone. */
export function openPrivateFolder(folder: string): void {
  // PGlite names no modes, so what it writes has those that the process leaves it.
  process.umask(HIDDEN_FROM_OTHERS)
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  closeToOthers(folder)
}
