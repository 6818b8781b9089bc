/**
 * Part of a processor that a process may use, held by Linux (`cgroups(7)`, version 1 or 2; needs root). Where the load
 * generator and the database have their processors for themselves, what several workers gain shows on a small machine.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const ROOT = '/sys/fs/cgroup'
/** In microseconds: short, so that a request waits a few milliseconds at most for its process to go on. */
const PERIOD_US = 10_000
const TRIES = 50
const REST_MS = 100

const isVersion2 = (): boolean => existsSync(`${ROOT}/cgroup.controllers`)

const folderOf = (pid: number): string =>
  `${ROOT}${isVersion2() ? '' : '/cpu'}/partner-graph-bench-${process.pid}-${pid}`

const limit = (folder: string, share: number): void => {
  const quota = Math.round(PERIOD_US * share)
  if (isVersion2()) writeFileSync(`${folder}/cpu.max`, `${quota} ${PERIOD_US}`)
  else {
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD_US))
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota))
  }
}

/** Removes a group, which Linux allows once its process has ended. */
const remove = async (folder: string): Promise<void> => {
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      return rmdirSync(folder)
    } catch {
      await delay(REST_MS)
    }
  }
  throw new Error(`${folder} is still in use`)
}

/**
 * Lets each process use this share of a processor alone, for the rest of its life.
 * @param share e.g. 0.25 for a quarter of one processor.
 * @returns a function that removes the groups once the processes have ended.
 * @throws Error where this user may not make groups.
 */
export function shareProcessor(pids: readonly number[], share: number): () => Promise<void> {
  const folders = pids.map(pid => {
    const folder = folderOf(pid)
    mkdirSync(folder)
    limit(folder, share)
    writeFileSync(`${folder}/cgroup.procs`, String(pid))
    return folder
  })
  return async () => void (await Promise.all(folders.map(remove)))
}
