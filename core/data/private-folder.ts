/** The embedded database is nobody else's: its folder, and what is written there, is for this user alone. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const OWNER_ONLY = 0o700
const FILE_OWNER_ONLY = 0o600
const HIDDEN_FROM_OTHERS = 0o077

const isNotOurs = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EPERM'

/** Takes others' rights to a folder away; one of another owner (a mounted volume) stays as its owner made it. */
function closeToOthers(folder: string): void {
  try {
    if (existsSync(folder)) chmodSync(folder, OWNER_ONLY)
  } catch (error) {
    if (!isNotOurs(error)) throw error
  }
}

/** Takes others' rights to the folder and all that is in it away. */
export function closeTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? OWNER_ONLY : FILE_OWNER_ONLY)
  chmodSync(folder, OWNER_ONLY)
}

/** The same, if the folder is open to others: one that an earlier version made. */
export function closeAllToOthers(folder: string): void {
  if ((statSync(folder).mode & HIDDEN_FROM_OTHERS) !== 0) closeTree(folder)
}

/** Makes the folder if it is not there, and closes it; from here on this process writes files for its user alone. */
export function openPrivateFolder(folder: string): void {
  process.umask(HIDDEN_FROM_OTHERS)
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  closeToOthers(folder)
}
