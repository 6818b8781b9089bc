/** A network of the test's own: a bridge on this machine, and a network namespace for each machine of a database. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { findProgram } from '#test/support/programs.ts'

const ip = (...args: string[]): string =>
  execFileSync(findProgram('ip')!, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Whether namespaces can be made here: it takes the rights of an administrator. */
export const canMakeNamespaces = (): boolean => {
  if (!findProgram('ip') || process.getuid?.() !== 0) return false
  const name = `pgf${randomInt(1e6)}`
  const { status } = spawnSync(findProgram('ip')!, ['netns', 'add', name], { stdio: 'ignore' })
  if (status !== 0) return false
  ip('netns', 'del', name)
  return true
}

/** A machine of the network. */
export interface Machine {
  readonly namespace: string
  readonly address: string
  /** Numbers of all processes that run there. */
  pids(): number[]
  signal(name: NodeJS.Signals): void
  /** Cuts it off from everybody; nothing is refused, it is silence. */
  cutOff(): void
  /** Cuts it off from these addresses alone. */
  cutOffFrom(addresses: readonly string[]): void
  /** Undoes both. */
  connect(): void
}

/** A network with machines 1 to `count`, and addresses of this machine in it. */
export interface Network extends Disposable {
  readonly machines: readonly Machine[]
  /** Addresses of this machine: for its clients, and one on which something else is served. */
  readonly own: string
  readonly other: string
}

const machineAt = (namespace: string, link: string, address: string): Machine => {
  const pids = () => ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)
  const blocked = new Set<string>()
  return {
    namespace,
    address,
    pids,
    signal(name) {
      // A process that ends meanwhile is none of those that are meant.
      for (const pid of pids())
        try {
          process.kill(pid, name)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
    },
    cutOff: () => void ip('link', 'set', link, 'down'),
    cutOffFrom(addresses) {
      for (const one of addresses) {
        ip('-n', namespace, 'route', 'add', 'blackhole', `${one}/32`)
        blocked.add(one)
      }
    },
    connect() {
      ip('link', 'set', link, 'up')
      for (const one of blocked) ip('-n', namespace, 'route', 'del', 'blackhole', `${one}/32`)
      blocked.clear()
    },
  }
}

/** Makes a network, whose names and addresses are its own. */
export function makeNetwork(count: number): Network {
  using made = new DisposableStack()
  const id = randomInt(1e5)
  const net = `10.${200 + (id % 50)}.${randomInt(250)}`
  const bridge = `pgf${id}`
  ip('link', 'add', bridge, 'type', 'bridge')
  made.defer(() => void ip('link', 'del', bridge))
  const [own, other] = [`${net}.254`, `${net}.253`]
  for (const address of [own, other]) ip('addr', 'add', `${address}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  const machines = Array.from({ length: count }, (_, index) => {
    const [namespace, link, address] = [
      `${bridge}n${index + 1}`,
      `${bridge}v${index + 1}`,
      `${net}.${index + 1}`,
    ]
    ip('netns', 'add', namespace)
    made.defer(() => void ip('netns', 'del', namespace))
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    made.defer(() => void spawnSync(findProgram('ip')!, ['link', 'del', link], { stdio: 'ignore' }))
    ip('link', 'set', link, 'master', bridge)
    ip('link', 'set', link, 'up')
    ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
    return machineAt(namespace, link, address)
  })
  const dispose = made.move()
  return { machines, own, other, [Symbol.dispose]: () => dispose.dispose() }
}
