/** A store of cursors in a folder, one file each: on the disk before an acknowledgement resolves, and never half of one. */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CursorStore } from '../follow/acks.ts'

/** Names become names of files. */
const NAME = /^[\w.-]{1,100}$/

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Makes the store. One program writes to a name at a time.
 * @param folder is made where it is missing.
 */
export function fileCursorStore(folder: string): CursorStore {
  const fileOf = (name: string): string => {
    if (!NAME.test(name) || name.startsWith('.'))
      throw new TypeError(
        `the name of a cursor must be 1 to 100 letters, digits, "_", "-" and ".", not ${name}`,
      )
    return join(folder, `${name}.cursor`)
  }
  return {
    async get(name) {
      try {
        return (await readFile(fileOf(name), 'utf8')).trim() || undefined
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async set(name, cursor) {
      const file = fileOf(name)
      const part = `${file}.${process.pid}.part`
      await mkdir(folder, { recursive: true })
      try {
        const handle = await open(part, 'w')
        try {
          await handle.writeFile(`${cursor}\n`)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(part, file)
      } finally {
        await rm(part, { force: true })
      }
    },
  }
}
