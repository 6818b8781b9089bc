/** All processes: each service alone, and the gateway that reaches them over HTTP. */

import type { Config } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import type { ParentMessage } from '#core/process.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { ChildServer } from './child.ts'

const SUBGRAPH = projectPath('subgraphs/main.ts')
const GATEWAY = projectPath('topology/gateway-only.ts')

const urlsOf = (subgraphs: readonly ChildServer[]) =>
  subgraphs.map(({ name, address }) => `${name}=${address}/graphql`).join(',')

/** The time to stop beyond `REQUEST_TIMEOUT_MS`: twice that of a process that has to skip a part of its own stop. */
const STOP_EXTENSION_MS = 10_000

/** The running processes, with the gateway last. */
export class AllProcesses {
  readonly #started: ChildServer[] = []

  /** Resolves when all are ready; when one cannot start, the others are stopped. */
  async start({ port, requestTimeoutMs, tls, demo }: Config): Promise<readonly ChildServer[]> {
    const stopMs = requestTimeoutMs + STOP_EXTENSION_MS
    const portOf = (own: number) => ({ PORT: String(port === 0 ? 0 : own), DEMO: '0', WORKERS: '1' })
    // Behind a gateway with TLS the gateway alone reaches the services, whose address no certificate names.
    const inside: Record<string, string> = tls
      ? { TLS_CERT: '', TLS_KEY: '', CLIENT_CERTIFICATES: 'none', HOST: '127.0.0.1' }
      : {}
    const add = (child: ChildServer) => void this.#started.push(child)
    const subgraphs = await Promise.all(
      SERVICES.map(service =>
        ChildServer.start(
          {
            name: service.name,
            args: [SUBGRAPH, service.name],
            env: { ...portOf(service.port), ...inside },
            stopMs,
          },
          add,
        ),
      ),
    )
    // The data are there, and its pages, origins and quotas are those of a demo.
    const env = { ...portOf(port), DEMO: demo ? '1' : '0', SUBGRAPH_URLS: urlsOf(subgraphs) }
    const all = [
      ...subgraphs,
      await ChildServer.start({ name: 'gateway', args: [GATEWAY], env, stopMs }, add),
    ]
    const installationPorts = all.map(({ address }) => Number(new URL(address).port))
    for (const one of all) one.send({ installationPorts })
    return all
  }

  /** Resolves when one of them has ended by itself. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#started.map(({ ended }) => ended))
  }

  /** Sends each process a message. */
  send(message: ParentMessage): void {
    for (const one of this.#started) one.send(message)
  }

  /** Stops the gateway first, so that its requests in flight still find the services; a process that hangs is killed. */
  async stop(): Promise<void> {
    const isGateway = ({ name }: ChildServer) => name === 'gateway'
    await Promise.all(this.#started.filter(isGateway).map(child => child.stop()))
    await Promise.all(this.#started.map(child => child.stop()))
  }
}

/** A line for each process with its address. */
export const addressLines = (processes: readonly ChildServer[]): string[] => [
  `partner-graph is ready at ${processes.at(-1)!.address} with ${processes.length} processes`,
  ...processes.map(({ name, address }) => `${name} listens at ${address}`),
]
