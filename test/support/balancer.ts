/** HAProxy with the file of `ops/proxy` between the gateway and several processes of each service. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVICES } from '#subgraphs/names.ts'
import { freePort } from './charging-simulator.ts'
import { findProgram } from './programs.ts'
import { readText } from './sources.ts'

const START_MS = 15_000

/** Whether this machine has HAProxy; a warning says what is left out where it does not. */
export const hasBalancer = (): boolean => {
  const found = findProgram('haproxy') !== undefined
  if (!found)
    console.warn('Without haproxy several processes of a service are not tried: apt-get install haproxy')
  return found
}

/** A running HAProxy. */
export interface Balancer extends AsyncDisposable {
  /** Address of each service, as `SUBGRAPH_URLS` takes them. */
  readonly subgraphUrls: string
}

/** Puts addresses into the file: each service's port, and its processes. */
const configFor = (
  processes: ReadonlyMap<string, readonly string[]>,
  ports: ReadonlyMap<string, number>,
): string => {
  let config = readText('ops/proxy/services.cfg')
  for (const { name, port } of SERVICES) {
    const servers = (processes.get(name) ?? []).map(
      (url, n) => `server process-${n + 1} ${new URL(url).host}`,
    )
    for (const [before, after] of [
      [`bind 127.0.0.1:${port + 1_000}`, `bind 127.0.0.1:${ports.get(name)}`],
      [`server one 127.0.0.1:${port}`, servers.join('\n  ')],
    ] as const) {
      if (!config.includes(before)) throw new Error(`ops/proxy/services.cfg has no ${before}`)
      config = config.replace(before, after)
    }
  }
  return config
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

const untilListening = async (child: ChildProcess, ports: Iterable<number>, said: Promise<string>) => {
  const until = performance.now() + START_MS
  for (const port of ports)
    while (!(await connects(port))) {
      if (child.exitCode !== null) throw new Error(`HAProxy has ended:\n${await said}`)
      if (performance.now() > until) throw new Error(`HAProxy does not listen at ${port}`)
      await delay(20)
    }
}

/** Starts HAProxy before these processes, by the names of their services. */
export async function startBalancer(processes: ReadonlyMap<string, readonly string[]>): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-balancer-'))
  const ports = new Map<string, number>()
  for (const { name } of SERVICES) ports.set(name, await freePort())
  const file = join(folder, 'services.cfg')
  writeFileSync(file, configFor(processes, ports))
  const child = spawn(findProgram('haproxy')!, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const said = text(child.stderr)
  const close = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilListening(child, ports.values(), said)
  } catch (error) {
    await close()
    throw error
  }
  return {
    subgraphUrls: [...ports].map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(','),
    [Symbol.asyncDispose]: close,
  }
}
