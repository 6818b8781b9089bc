/** A line between two machines of a network: as long as it is told to be, and cut when a test wants it to be. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { canMakeNamespaces, type Machine } from '#test/failover/network.ts'
import { CAN_MAKE_CLUSTERS } from '#test/ops/cluster.ts'
import { findProgram } from '#test/support/programs.ts'

const DEVICE = '/dev/net/tun'
const PROGRAM = join(import.meta.dirname, 'line.py')
/** Name of the line's device at either end. */
const NAME = 'wan'

/** Says in one line why no two sites can be made here; undefined where they can. */
export const missingForSites = (): string | undefined => {
  const missing = ['ip', 'python3', 'runuser'].filter(name => !findProgram(name))
  if (missing.length > 0) return `without ${missing.join(', ')}`
  if (!existsSync(DEVICE)) return `without ${DEVICE}`
  if (!CAN_MAKE_CLUSTERS) return 'without the programs of PostgreSQL, or its user'
  return canMakeNamespaces() ? undefined : 'without the right to make network namespaces'
}

/** A line, with the address of either end on it. */
export interface Line extends AsyncDisposable {
  readonly addresses: readonly [string, string]
  /** Loses all packets from now on: silence, and no refusal. */
  cut(): Promise<void>
  join(): Promise<void>
}

const ip = (...args: string[]) => execFileSync(findProgram('ip')!, args, { stdio: 'pipe' })

/**
 * Lays a line.
 * @param net the first three numbers of its addresses.
 * @param delayMs delay of each way.
 */
export async function layLine(
  ends: readonly [Machine, Machine],
  net: string,
  delayMs: number,
): Promise<Line> {
  const names = ends.map(({ namespace }) => `${namespace}w`.slice(-15))
  const child = spawn(findProgram('python3')!, [PROGRAM, ...names, String(delayMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answered = async (expected: string) => {
    const { value } = await lines.next()
    if (value !== expected) throw new Error(`The line said ${value} instead of ${expected}`)
  }
  const tell = (command: string) => {
    child.stdin.write(`${command}\n`)
    return answered(command)
  }
  await answered('open')
  const addresses = [`${net}.1`, `${net}.2`] as const
  for (const [index, { namespace }] of ends.entries()) {
    ip('link', 'set', names[index]!, 'netns', namespace, 'name', NAME)
    ip('-n', namespace, 'addr', 'add', addresses[index]!, 'peer', addresses[1 - index]!, 'dev', NAME)
    ip('-n', namespace, 'link', 'set', NAME, 'up')
  }
  return {
    addresses,
    cut: () => tell('cut'),
    join: () => tell('join'),
    async [Symbol.asyncDispose]() {
      const ended = new Promise(done => child.once('exit', done))
      child.stdin.end()
      await ended
    },
  }
}
