/** The embedded database is its user's alone, also where its folder was made open to others. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { folderFault } from '#core/data/embedded.ts'

let root: string
let umask: number
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'partner-graph-modes-'))
  umask = process.umask(0o022)
})
afterEach(() => {
  process.umask(umask)
  rmSync(root, { recursive: true, force: true })
})

const OTHERS = 0o077
const openToOthers = (path: string) => (statSync(path).mode & OTHERS) !== 0

test.each([
  ['a new folder', (_: string) => undefined],
  [
    'a folder that others may read',
    (dataDir: string) => {
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o755)
    },
  ],
])('DATA-PRIVATE-01 nobody else can read or change what is in %s', async (_, prepare) => {
  const dataDir = join(root, 'data')
  prepare(dataDir)
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir }))
  await database.db.$executeRaw`CREATE TABLE public.made_later (id int)`
  await database.close()
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map(file => join(dataDir, file))
  expect(files.length).toBeGreaterThan(500)
  // PostgreSQL writes these caches anew at each start, with modes of its own; their folders are closed.
  const kept = files.filter(file => !file.endsWith('pg_internal.init'))
  expect([dataDir, ...kept].filter(openToOthers)).toEqual([])
})

test('DATA-PRIVATE-02 a database of before is closed to others when it is opened', async () => {
  const dataDir = join(root, 'data')
  const config = readConfig({ DATA_DIR: dataDir })
  await (await openDatabase(config)).close()
  for (const folder of [dataDir, join(dataDir, 'pglite')]) chmodSync(folder, 0o755)
  process.umask(0o022)
  await (await openDatabase(config)).close()
  expect([dataDir, join(dataDir, 'pglite')].filter(openToOthers)).toEqual([])
})

test.each(['file', 'file/below'])(
  'DATA-FOLDER-01 MUST say in a sentence that %s can be no folder',
  async name => {
    writeFileSync(join(root, 'file'), '')
    await expect(openDatabase(readConfig({ DATA_DIR: join(root, name) }))).rejects.toThrow(
      /^The embedded database in .* cannot be used: the folder cannot be made, .*: name another DATA_DIR$/,
    )
  },
)

test('DATA-FOLDER-02 MUST know the failures of PGlite, which are numbers, as those of the system', () => {
  // On a full disk PGlite 0.5 throws no Error, and nothing with a text.
  expect(folderFault(root, { name: 'ErrnoError', errno: 51 })?.message).toMatch(/its disk is full: make room/)
  for (const code of ['EACCES', 'EROFS'])
    expect(folderFault(root, Object.assign(new Error(code), { code }))?.message).toMatch(
      /may not write there/,
    )
  expect(folderFault(root, new TypeError('x is undefined'))).toBeUndefined()
})

test('DATA-FOLDER-03 MUST give the folder back, and leave no half of a database, where it cannot be made', async () => {
  const dataDir = join(root, 'data')
  const config = readConfig({ DATA_DIR: dataDir })
  // A database has no place where a file stands.
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'pglite'), '')
  await expect(openDatabase(config)).rejects.toThrow()
  rmSync(join(dataDir, 'pglite'))
  await (await openDatabase(config)).close()
  expect(readdirSync(dataDir)).not.toContain('pglite.part')
})
