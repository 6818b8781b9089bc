/**
 * The folder of the embedded database. One process at a time has it open, files are for its user alone, and a new one is made
 * of a template: a dump with all migrations applied, which opens in a tenth of the time that migrating takes.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { keepFile, keptBytes, keptFile } from '../config/project-files.ts'
import { SetupError } from '../errors/catalogue.ts'
import { applyMigrations } from './apply-migrations.ts'
import { lockDataDir } from './door.ts'
import { migrationNames, onPglite, readMigration } from './migrations.ts'

/** The `DATA_DIR` of a database that is kept nowhere. */
export const MEMORY = 'memory:'

const OWNER_ONLY = 0o700
const FILE_OWNER_ONLY = 0o600
const HIDDEN_FROM_OTHERS = 0o077

/** Space on a disk in bytes below which it counts as full: PGlite does not open without a page or two. */
const FULL_BELOW = 1_048_576

/** Numbers of PGlite's file system, which are WASI's (`errno` of wasi_snapshot_preview1), by Node's names. */
const WASI_CODES: Readonly<Record<number, string>> = { 2: 'EACCES', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' }

const NOT_PERMITTED = 'this user may not write there: let it, or name another DATA_DIR'
const NO_FOLDER =
  'the folder cannot be made, since something else has its place or its path: name another DATA_DIR'
const DISK_FULL = 'its disk is full: make room there, or name another DATA_DIR. Nothing is lost'

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: NOT_PERMITTED,
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  // So Node says that a recursive mkdir met a file system that is only read.
  ENOENT: 'the folder cannot be made there, as on a disk that is only read: name another DATA_DIR',
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
}

const isFull = (dataDir: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize < FULL_BELOW
  } catch {
    return false
  }
}

/** Says what keeps a folder from being used; undefined for what is no fault of the folder. */
export const folderFault = (dataDir: string, error: unknown): SetupError | undefined => {
  const { code, errno } = error as { code?: unknown; errno?: number }
  const known = typeof code === 'string' ? code : (WASI_CODES[errno ?? 0] ?? '')
  // PGlite says of a full disk no more than that it did not open.
  const remedy = isFull(dataDir) ? DISK_FULL : REMEDIES[known]
  return remedy === undefined
    ? undefined
    : new SetupError(`The embedded database in ${dataDir} cannot be used: ${remedy}`, { cause: error })
}

/** Does work on the folder of a database. @throws SetupError where the folder cannot be made, or written to. */
const onFolder = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  try {
    openPrivateFolder(dataDir)
    return await work()
  } catch (error) {
    throw error instanceof SetupError ? error : (folderFault(dataDir, error) ?? error)
  }
}

/** Makes the folder if it is not there, and closes it to others; from here on this process writes files for its user alone. */
function openPrivateFolder(folder: string): void {
  process.umask(HIDDEN_FROM_OTHERS)
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  try {
    chmodSync(folder, OWNER_ONLY)
  } catch (error) {
    // A folder of another owner (a mounted volume) stays as its owner made it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Takes others' rights to the folder and all that is in it away. */
function closeTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? OWNER_ONLY : FILE_OWNER_ONLY)
  chmodSync(folder, OWNER_ONLY)
}

const templateFile = () => {
  const hash = createHash('sha256').update(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  for (const name of migrationNames()) hash.update(readMigration(name))
  return keptFile(`template-${hash.digest('hex').slice(0, 16)}.tar`)
}

/**
 * Loads the template of this version, which is made and kept if it is not there yet; a read-only installation makes its own
 * at each start.
 */
export async function loadTemplate(): Promise<Blob> {
  const file = templateFile()
  const kept = keptBytes(file)
  if (kept) return new Blob([new Uint8Array(kept)])
  await using pglite = new PGlite()
  await applyMigrations(onPglite(pglite))
  const dump = await pglite.dumpDataDir('none')
  keepFile(file, Buffer.from(await dump.arrayBuffer()))
  return dump
}

/** The folder of the database within `DATA_DIR`. */
const folderOf = (dataDir: string) => join(dataDir, 'pglite')

/** Whether there is an embedded database. */
export const hasDatabase = (dataDir: string): boolean => dataDir !== MEMORY && existsSync(folderOf(dataDir))

/**
 * Copies the database as it is between two statements: a tar archive of its folder, which opens as after a power cut. No
 * statement runs until it is read.
 */
export async function dumpArchive(pglite: PGlite): Promise<Buffer> {
  // The archive then has little to recover from its log.
  await pglite.exec('CHECKPOINT')
  const archive = await pglite.dumpDataDir('none')
  return Buffer.from(await archive.arrayBuffer())
}

/**
 * Makes the folder's database of an archive.
 * @param prepare changes it before it has its place: where that fails, there is no database.
 */
export const loadArchive = (
  dataDir: string,
  archive: Buffer,
  prepare: (pglite: PGlite) => Promise<void>,
): Promise<void> =>
  onFolder(dataDir, async () => {
    const lock = await lockDataDir(dataDir)
    try {
      await createFolder(folderOf(dataDir), new Blob([new Uint8Array(archive)]), prepare)
    } finally {
      lock.release()
    }
  })

/** Made beside its place and renamed into it, so that a start that is killed leaves no half database behind. */
const createFolder = async (folder: string, archive: Blob, prepare?: (pglite: PGlite) => Promise<void>) => {
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  try {
    const pglite = await PGlite.create({ dataDir: part, loadDataDir: archive })
    try {
      await prepare?.(pglite)
    } finally {
      await pglite.close()
    }
    // The template brings modes along that are open to others.
    closeTree(part)
    renameSync(part, folder)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
}

/** PGlite fills its buffers when it opens, 128 MiB of them unless told otherwise; the rest is read from the folder. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const openFolder = async (dataDir: string) => {
  const lock = await lockDataDir(dataDir)
  try {
    const folder = folderOf(dataDir)
    if (!existsSync(folder)) await createFolder(folder, await loadTemplate())
    // Earlier versions left it open to others.
    if ((statSync(folder).mode & HIDDEN_FROM_OTHERS) !== 0) closeTree(folder)
    const pglite = await PGlite.create(folder, { startParams })
    lock.serve(() => dumpArchive(pglite))
    return {
      pglite,
      async release() {
        await pglite.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens the embedded database in this folder, or in memory; its migrations may be those of an earlier version.
 * @returns the database, and the function that closes it and gives the folder back.
 * @throws InUseError when another live process holds the folder; SetupError where it cannot be made, or written to.
 */
export async function openDataDir(dataDir: string): Promise<{ pglite: PGlite; release(): Promise<void> }> {
  if (dataDir === MEMORY) {
    const pglite = await PGlite.create({ startParams, loadDataDir: await loadTemplate() })
    return { pglite, release: () => pglite.close() }
  }
  return onFolder(dataDir, () => openFolder(dataDir))
}
