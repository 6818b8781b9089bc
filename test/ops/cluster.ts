/** A PostgreSQL cluster of a test's own, by the programs of the machine's packages, as a user without rights. */
import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const PACKAGES = '/usr/lib/postgresql'

const findPrograms = (): string | undefined => {
  if (!existsSync(PACKAGES)) return undefined
  return readdirSync(PACKAGES)
    .map(version => join(PACKAGES, version, 'bin'))
    .findLast(bin => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'pg_basebackup')))
}

const idOf = (flag: string): number | undefined => {
  try {
    return Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
const programs = findPrograms()

/** The folder of PostgreSQL's programs; undefined where this machine has none. */
export const PROGRAMS = programs

/** Whether clusters can be made on this machine. */
export const CAN_MAKE_CLUSTERS =
  programs !== undefined && (process.getuid?.() !== 0 || user.uid !== undefined)

/** Runs one of PostgreSQL's programs with further variables of its environment. */
export const runWith = async (
  own: Readonly<Record<string, string>>,
  program: string,
  ...args: string[]
): Promise<void> => {
  const { uid, gid } = user
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', PGUSER: 'postgres', ...own }
  await promisify(execFile)(join(programs!, program), args, { uid, gid, env, cwd: '/', timeout: 60_000 })
}

/** Runs one of PostgreSQL's programs; its output is thrown away, since a server that it starts keeps it open. */
export const run = (program: string, ...args: string[]): Promise<void> => runWith({}, program, ...args)

/** Makes a folder that belongs to the user of the cluster. */
export const makeFolder = (folder: string): string => {
  mkdirSync(folder, { mode: 0o700 })
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  return folder
}

export const freePort = (): Promise<number> =>
  new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })

/** A cluster that runs. */
export interface Cluster {
  readonly data: string
  readonly port: number
  readonly url: string
  /** Sends a signal to all of its processes. */
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
  /** Starts it again after all of its processes were killed. */
  restart(): Promise<void>
}

/** The children of a process, each of which leads a group of its own at PostgreSQL. */
const childrenOf = (parent: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []))

/** The first process of a cluster, whose number stands in its folder, comes first: it would start others in their place. */
const signalAll = (data: string, name: NodeJS.Signals): void => {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = childrenOf(first)
  for (const pid of [first, ...children])
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

const TRIES = 50

/** A process that was killed is not gone at once, and a cluster that has one does not start. */
const startAgain = async (start: () => Promise<void>): Promise<void> => {
  for (let left = TRIES; ; left--)
    try {
      return await start()
    } catch (error) {
      if (left === 0) throw error
      await delay(200)
    }
}

/** Starts the cluster in a folder, with further lines of its configuration. */
export async function startCluster(
  data: string,
  sockets: string,
  lines: readonly string[],
): Promise<Cluster> {
  const port = await freePort()
  const own = [`port = ${port}`, `listen_addresses = '127.0.0.1'`, `unix_socket_directories = '${sockets}'`]
  appendFileSync(join(data, 'postgresql.conf'), `\n${[...own, 'fsync = off', ...lines].join('\n')}\n`)
  const start = () => run('pg_ctl', '-D', data, '-w', '-t', '50', '-l', join(data, 'server.log'), 'start')
  await start()
  return {
    data,
    port,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    signal: name => signalAll(data, name),
    stop: () => run('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop'),
    restart: () => startAgain(start),
  }
}

/** Makes an empty cluster in a folder. */
export const initCluster = (data: string): Promise<void> =>
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync')

/** Writes an empty file of the cluster. */
export const touch = (file: string): void => {
  writeFileSync(file, '')
  if (user.uid !== undefined) chownSync(file, user.uid, user.gid!)
}

/** Makes a standby of a cluster in a folder that is not there yet, and starts it; it follows by streaming. */
export async function startStandby(
  { port }: Cluster,
  data: string,
  sockets: string,
  lines: readonly string[] = [],
): Promise<Cluster> {
  const from = ['-h', '127.0.0.1', '-p', String(port)]
  await run('pg_basebackup', ...from, '-D', makeFolder(data), '-R', '-X', 'stream', '-c', 'fast', '--no-sync')
  return startCluster(data, sockets, lines)
}

/** Makes a standby the primary. */
export const promote = ({ data }: Cluster): Promise<void> =>
  run('pg_ctl', '-D', data, '-w', '-t', '50', 'promote')
