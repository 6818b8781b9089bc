/** The lock of an embedded database's folder: one process, by whichever path and with whichever temporary folder it comes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { askForBackup, InUseError, lockDataDir } from '#core/data/door.ts'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'door-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Tries to take a folder in a process that has another temporary folder. */
const takeElsewhere = (dir: string): string => {
  const script = `import { lockDataDir } from ${JSON.stringify(projectPath('core/data/door.ts'))}
    await lockDataDir(process.argv[1]).then(() => console.log('taken'), error => console.log(error.name))
    process.exit()`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, dir]
  const { stdout } = spawnSync(process.execPath, args, { env: { TMPDIR: folder() }, encoding: 'utf8' })
  return stdout.trim()
}

test('DOOR-01 MUST be refused to a process with another temporary folder, until it is given back', async () => {
  const dir = folder()
  const lock = await lockDataDir(dir)
  expect(takeElsewhere(dir)).toBe('InUseError')
  lock.release()
  expect(takeElsewhere(dir)).toBe('taken')
})

test('DOOR-02 MUST be refused by another path to the same folder, by which it gives a backup', async () => {
  const dir = folder()
  const other = join(folder(), 'link')
  symlinkSync(dir, other)
  const lock = await lockDataDir(dir)
  lock.serve(async () => Buffer.from('archive'))
  await expect(lockDataDir(other)).rejects.toBeInstanceOf(InUseError)
  expect(String(await askForBackup(other))).toBe('archive')
  lock.release()
})

test('DOOR-03 MUST be free after its process was killed, and where the path is too long for a socket', async () => {
  const dir = folder()
  expect(takeElsewhere(dir)).toBe('taken')
  const lock = await lockDataDir(dir)
  lock.release()
  const long = join(dir, 'x'.repeat(120))
  const far = await lockDataDir(long)
  await expect(lockDataDir(long)).rejects.toBeInstanceOf(InUseError)
  far.release()
})
