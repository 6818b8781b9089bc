/** PgBouncer with the file of `ops/pgbouncer`, in which only addresses, the user list and some limits differ. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './charging-simulator.ts'
import { findProgram } from './programs.ts'
import { readText } from './sources.ts'

const START_MS = 15_000
/** The user `nobody`, as which it runs where the test runs as root: it refuses to. */
const NOBODY = 65_534

/** Whether this machine has PgBouncer; a warning says what is left out where it does not. */
export const hasPooler = (): boolean => {
  const found = findProgram('pgbouncer') !== undefined
  if (!found) console.warn('Without pgbouncer a pooler is not tried: apt-get install pgbouncer')
  return found
}

/** A running PgBouncer. */
export interface Pooler extends AsyncDisposable {
  /** Address of the database through it. */
  readonly url: string
}

/** Options of a pooler, beside its file. */
export interface PoolerOptions {
  /** Further replacements of lines of the file: text before, and after. */
  readonly changes?: readonly (readonly [before: string, after: string])[]
  /** Connections that it holds to PostgreSQL; few, so that sessions are shared. */
  readonly size?: number
}

const configFor = (direct: URL, port: number, folder: string, { changes = [], size = 4 }: PoolerOptions) => {
  const { hostname, port: serverPort, pathname } = direct
  const database = pathname.slice(1)
  const place = `host=${hostname} port=${serverPort || 5_432} dbname=${database}`
  const replacements = [
    ['host=127.0.0.1 port=5432 dbname=graph', place],
    ['\ngraph = ', `\n${database} = `],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256', 'auth_type = trust'],
    ['/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')],
    ['default_pool_size = 20', `default_pool_size = ${size}`],
    ...changes,
  ] as const
  let config = readText('ops/pgbouncer/pgbouncer.ini')
  for (const [before, after] of replacements) {
    if (!config.includes(before)) throw new Error(`ops/pgbouncer/pgbouncer.ini has no ${before}`)
    config = config.replace(before, after)
  }
  return `${config}\nunix_socket_dir =\n`
}

const connects = (port: number): Promise<boolean> =>
  new Promise(done => {
    const socket = createConnection(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy()
        done(true)
      })
      .once('error', () => done(false))
  })

/** Starts PgBouncer before the database of an address. */
export async function startPooler(directUrl: string, options: PoolerOptions = {}): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-pooler-'))
  const port = await freePort()
  const direct = new URL(directUrl)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configFor(direct, port, folder, options))
  writeFileSync(join(folder, 'userlist.txt'), `"${direct.username}" "${direct.password}"\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file, join(folder, 'userlist.txt')]) chownSync(path, NOBODY, NOBODY)
  const child = spawn(findProgram('pgbouncer')!, ['-q', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  const exited = once(child, 'exit')
  const said = text(child.stderr)
  const close = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  const until = performance.now() + START_MS
  while (!(await connects(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer has ended:\n${await said}`)
    if (performance.now() > until) {
      await close()
      throw new Error(`PgBouncer does not listen at ${port}:\n${await said}`)
    }
    await delay(20)
  }
  const url = new URL(directUrl)
  url.host = `127.0.0.1:${port}`
  return { url: url.toString(), [Symbol.asyncDispose]: close }
}
