/** Small disks that can be filled. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SIZE = '600m'

/** Mounts a small disk at a folder. @returns whether this machine lets us. */
export const mountDisk = (folder: string, size = SIZE): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

export const unmountDisk = (folder: string): void => {
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
}

/** Fills a disk but for so many bytes. @returns what empties it again. */
export const fillDisk = (folder: string, left: number): (() => void) => {
  const file = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  const chunk = Buffer.alloc(1024 * 1024)
  try {
    writeFileSync(file, '')
    for (let bytes = bavail * bsize - left; bytes > 0; bytes -= chunk.length)
      appendFileSync(file, bytes >= chunk.length ? chunk : chunk.subarray(0, bytes))
  } catch (error) {
    // Others write at the same time: it is as full as it can be.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return () => emptyDisk(folder)
}

/** Takes away what fills a disk, if anything does. */
export const emptyDisk = (folder: string): void => rmSync(join(folder, 'filler'), { force: true })
