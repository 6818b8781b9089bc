/** A node of Citus that is killed as a whole and started again as it was, where it runs on this machine. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type CitusNode, urlOn, withClient } from '#test/support/citus.ts'

const BACK_MS = 30_000
const LOOK_MS = 50
/** A database that every server has. */
const MAINTENANCE = 'postgres'

/** How the server of a node was started. */
interface Started {
  readonly pid: number
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly uid: number
  readonly gid: number
}

const readProcess = (pid: number): Started => {
  const { uid, gid } = statSync(`/proc/${pid}`)
  const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  return {
    pid,
    file: readlinkSync(`/proc/${pid}/exe`),
    args,
    folder: readlinkSync(`/proc/${pid}/cwd`),
    uid,
    gid,
  }
}

const parentOf = (pid: string): number | undefined => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)

const find = (node: CitusNode): Promise<Started> =>
  withClient(urlOn(MAINTENANCE, node), async client => {
    const { rows } = await client.query<{ file: string }>(`SELECT pg_read_file('postmaster.pid') AS file`)
    const pid = Number(rows[0]!.file.split('\n')[0])
    try {
      return readProcess(pid)
    } catch (error) {
      throw new Error(`The node ${node.host}:${node.port} does not run on this machine`, { cause: error })
    }
  })

const answers = (node: CitusNode): Promise<boolean> =>
  withClient(urlOn(MAINTENANCE, node), client => client.query('SELECT 1')).then(
    () => true,
    () => false,
  )

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return true
  }
}

/** Kills all processes of a node at once; the returned function starts it as it was, and resolves when it answers. */
export async function killNode(node: CitusNode): Promise<() => Promise<void>> {
  const server = await find(node)
  const all = [server.pid, ...childrenOf(server.pid)]
  for (const pid of all) if (!isGone(pid)) process.kill(pid, 'SIGKILL')
  while (!all.every(isGone)) await delay(LOOK_MS)
  return async () => {
    const { file, args, folder, uid, gid } = server
    spawn(file, args, { cwd: folder, uid, gid, detached: true, stdio: 'ignore' }).unref()
    const until = Date.now() + BACK_MS
    while (!(await answers(node))) {
      if (Date.now() > until) throw new Error(`The node ${node.host}:${node.port} did not come back`)
      await delay(LOOK_MS)
    }
  }
}
