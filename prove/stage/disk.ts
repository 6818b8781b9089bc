/** Small disks that can be filled. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Size of a disk: room for a cluster and a short run. */
const SIZE = '600m'

/** Mounts a small disk at a folder. @returns false where this machine does not allow that. */
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

/** Fills a disk until so many bytes are left. @returns the function that empties it again. */
export const fillDisk = (folder: string, left: number): (() => void) => {
  const file = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  const chunk = Buffer.alloc(1024 * 1024)
  try {
    writeFileSync(file, '')
    for (let bytes = bavail * bsize - left; bytes > 0; bytes -= chunk.length)
      appendFileSync(file, bytes >= chunk.length ? chunk : chunk.subarray(0, bytes))
  } catch (error) {
    // Another process wrote at the same time, so it is full already.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return () => emptyDisk(folder)
}

/** Removes the file that fills a disk, if there is one. */
export const emptyDisk = (folder: string): void => rmSync(join(folder, 'filler'), { force: true })
