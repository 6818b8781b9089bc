/** Patroni with etcd and HAProxy, by the files of `ops/patroni`, in which only names, addresses and folders differ. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CAN_MAKE_CLUSTERS, freePort, makeFolder, PROGRAMS } from '#test/ops/cluster.ts'
import { findProgram } from '#test/support/programs.ts'
import { readText } from '#test/support/sources.ts'
import { canMakeNamespaces, type Machine, makeNetwork, type Network } from './network.ts'

const NEEDED = ['patroni', 'etcd', 'haproxy', 'ip', 'runuser'] as const

/** Says in one line why no cluster can be made here; undefined where one can be. */
export const missingForPatroni = (): string | undefined => {
  const missing = NEEDED.filter(name => !findProgram(name))
  if (missing.length > 0) return `without ${missing.join(', ')} (apt-get install ${missing.join(' ')})`
  if (!CAN_MAKE_CLUSTERS) return 'without the programs of PostgreSQL, or its user'
  return canMakeNamespaces() ? undefined : 'without the right to make network namespaces'
}

const START_MS = 120_000
/** Time after which a cluster is helped that has all but a standby that confirms commits, in milliseconds. */
const HELP_MS = 40_000

/** A member of the cluster as Patroni tells of it. */
interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | string
}

/** A machine with Patroni and PostgreSQL. */
export interface Node {
  readonly name: string
  readonly machine: Machine
  /** Starts Patroni, after all of its processes were killed. */
  start(): void
  /** Starts Patroni anew beside its PostgreSQL, which goes on. */
  startAnew(): Promise<void>
}

/** A cluster of three, with etcd and HAProxy on this machine. */
export interface PatroniCluster extends AsyncDisposable {
  readonly network: Network
  readonly nodes: readonly Node[]
  /** Hosts of all nodes, as `DATABASE_URL` takes them. */
  readonly hosts: string
  /** Address of HAProxy, `host:port`. */
  readonly proxy: string
  members(): Promise<readonly Member[]>
  leader(): Promise<Node>
  /** Waits until there is a primary with two standbys, one of which confirms commits. */
  whole(): Promise<void>
  switchOver(): Promise<void>
  /** Ends everything at once, without waiting for it: the process that has it is about to end. */
  abandon(): void
  /** Log of a node's Patroni, and of its PostgreSQL. */
  logs(): string
}

const replaced = (file: string, replacements: readonly (readonly [string, string])[]): string => {
  let config = readText(file)
  for (const [before, after] of replacements) {
    if (!config.includes(before)) throw new Error(`${file} has no ${before}`)
    config = config.replaceAll(before, after)
  }
  return config
}

const PATRONI = 'ops/patroni/patroni.yml'

const patroniConfig = (network: Network, index: number, folder: string): string => {
  const { address } = network.machines[index]!
  return replaced(PATRONI, [
    ['name: db1', `name: db${index + 1}`],
    ['10.0.0.0/24', network.own.replace(/\d+$/, '0/24')],
    ['scram-sha-256', 'trust'],
    ['local all all peer', 'local all all trust'],
    ['    - 10.0.0.11:2379\n    - 10.0.0.12:2379\n    - 10.0.0.13:2379', `    - ${network.other}:2379`],
    ['10.0.0.1:', `${address}:`],
    ['/var/lib/postgresql/15/graph', join(folder, `data-${index + 1}`)],
    ['/usr/lib/postgresql/15/bin', PROGRAMS!],
    ['/var/run/postgresql', makeFolder(join(folder, `sockets-${index + 1}`))],
    ['max_connections: 200', 'max_connections: 100\n        fsync: "off"\n        shared_buffers: 32MB'],
    ['mode: automatic', 'mode: "off"'],
  ])
}

const proxyConfig = (network: Network, port: number): string =>
  replaced('ops/patroni/haproxy.cfg', [
    ['127.0.0.1:5000', `127.0.0.1:${port}`],
    ...network.machines.map(({ address }, index) => [`10.0.0.${index + 1}:`, `${address}:`] as const),
  ])

const spawnLogged = (log: string, command: string, args: readonly string[], cwd: string): ChildProcess => {
  const out = openSync(log, 'a')
  const child = spawn(command, args, {
    stdio: ['ignore', out, out],
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  closeSync(out)
  return child
}

const askPatroni = async (address: string, path: string, init: RequestInit = {}) => {
  const signal = AbortSignal.timeout(3_000)
  return fetch(`http://${address}:8008${path}`, { signal, ...init })
}

/** Starts a cluster of three nodes. */
export async function startPatroni(): Promise<PatroniCluster> {
  await using made = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-patroni-'))
  made.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  const own = makeFolder(join(folder, 'own'))
  const network = made.use(makeNetwork(3))

  const children: ChildProcess[] = []
  const keep = (child: ChildProcess) => {
    children.push(child)
    made.defer(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
  }
  const client = `http://${network.other}:2379`
  const peer = `http://${network.other}:2380`
  keep(
    spawnLogged(
      join(folder, 'etcd.log'),
      findProgram('etcd')!,
      [
        ...['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--initial-cluster', `etcd=${peer}`],
      ],
      folder,
    ),
  )
  const nodes = network.machines.map((machine, index): Node => {
    const name = `db${index + 1}`
    const file = join(own, `${name}.yml`)
    writeFileSync(file, patroniConfig(network, index, own))
    chmodSync(file, 0o644)
    made.defer(async () => {
      machine.signal('SIGKILL')
      while (machine.pids().length > 0) await delay(20)
    })
    const program = findProgram('patroni')!
    const start = () => {
      const args = ['netns', 'exec', machine.namespace, 'runuser', '-u', 'postgres', '--', program, file]
      spawnLogged(join(folder, `${name}.log`), findProgram('ip')!, args, '/')
    }
    const isPatroni = (pid: number) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(program)
      } catch {
        // It has ended meanwhile.
        return false
      }
    }
    return {
      name,
      machine,
      start,
      async startAnew() {
        for (const pid of machine.pids().filter(isPatroni)) process.kill(pid, 'SIGKILL')
        while (machine.pids().some(isPatroni)) await delay(20)
        start()
      },
    }
  })
  // One after the other: the first to come initializes the cluster.
  for (const node of nodes) node.start()
  const port = await freePort()
  const proxyFile = join(folder, 'haproxy.cfg')
  writeFileSync(proxyFile, proxyConfig(network, port))
  keep(spawnLogged(join(folder, 'haproxy.log'), findProgram('haproxy')!, ['-db', '-f', proxyFile], folder))

  const logs = () =>
    ['etcd', 'haproxy', ...nodes.map(({ name }) => name)]
      .map(name => `${name}: ${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-3_000)}`)
      .join('\n')

  /** The members by whichever node answers first. */
  const members = async (): Promise<readonly Member[]> => {
    const asked = nodes.map(async ({ machine }) => {
      const response = await askPatroni(machine.address, '/cluster')
      return ((await response.json()) as { members: Member[] }).members
    })
    return Promise.any(asked)
  }
  const leader = async (): Promise<Node> => {
    const asked = nodes.map(async node => {
      const { status } = await askPatroni(node.machine.address, '/primary', { method: 'OPTIONS' })
      if (status !== 200) throw new Error('It is no primary')
      return node
    })
    return Promise.any(asked)
  }
  const areAllThere = (all: readonly Member[]) =>
    all.length === nodes.length &&
    all.filter(({ role }) => role === 'leader').length === 1 &&
    all.every(({ state }) => ['running', 'streaming'].includes(state)) &&
    new Set(all.map(({ timeline }) => timeline)).size === 1
  const isWhole = (all: readonly Member[]) =>
    areAllThere(all) && all.some(({ role }) => role === 'sync_standby')
  const whole = async () => {
    const until = performance.now() + START_MS
    let helpAt = performance.now() + HELP_MS
    let last: unknown
    for (;;) {
      const all = await members().catch(error => {
        last = error
        return []
      })
      if (isWhole(all)) return
      // A primary that thaws may go by what etcd said before (seen with 3.0.2): each change of the standby's key is then refused.
      if (areAllThere(all) && performance.now() > helpAt) {
        helpAt = until
        await (await leader()).startAnew()
      }
      if (performance.now() > until)
        throw new Error(`The cluster is not whole: ${JSON.stringify(all)} ${last}\n${logs()}`)
      await delay(200)
    }
  }
  const switchOver = async () => {
    const { name, machine } = await leader()
    const response = await askPatroni(machine.address, '/switchover', {
      method: 'POST',
      body: JSON.stringify({ leader: name }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!response.ok) throw new Error(`no switchover: ${response.status} ${await response.text()}`)
  }
  await whole()
  const dispose = made.move()
  return {
    network,
    nodes,
    hosts: nodes.map(({ machine }) => `${machine.address}:5432`).join(','),
    proxy: `127.0.0.1:${port}`,
    members,
    leader,
    whole,
    switchOver,
    abandon() {
      for (const { machine } of nodes) machine.signal('SIGKILL')
      for (const child of children) child.kill('SIGKILL')
      network[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
    logs,
    [Symbol.asyncDispose]: () => dispose.disposeAsync(),
  }
}
