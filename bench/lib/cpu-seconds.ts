/** Processor time of a server so far: of the process with all its threads, and of the workers that it has started. */
import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'

/** Parts of a second in which Linux counts processor time (`getconf CLK_TCK`). */
const TICKS = 100
/** Places of `utime` and `stime` behind the name of the program (proc_pid_stat(5)). */
const USER = 11
const SYSTEM = 12

const ticksOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[USER]) + Number(fields[SYSTEM])
}

/** Processor time of another process so far, with all its threads. */
export const cpuSecondsOf = (pid: number): number => ticksOf(pid) / TICKS

export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  const workers = Object.values(cluster.workers ?? {}).map(one => one!.process.pid!)
  return (user + system) / 1_000_000 + workers.map(cpuSecondsOf).reduce((sum, seconds) => sum + seconds, 0)
}
