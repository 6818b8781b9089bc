/** The seven processes: each service alone, and the gateway that asks them over HTTP. */

import type { Config } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-folder.ts'
import type { InstallationPorts } from '#core/process.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { KeptProcess } from './child.ts'

const SUBGRAPH = projectPath('subgraphs/main.ts')
const GATEWAY = projectPath('topology/gateway-only.ts')

const urlsOf = (subgraphs: readonly KeptProcess[]) =>
  subgraphs.map(({ name, address }) => `${name}=${address}/graphql`).join(',')

/** Beyond `REQUEST_TIMEOUT_MS`: twice what a process takes that has to pass over a part of its own stop. */
const STOP_EXTENSION_MS = 10_000

/** Running, with the gateway last. */
export class AllProcesses {
  readonly #started: KeptProcess[] = []

  /** Resolves when all are ready; when one cannot start, the others are stopped. */
  async start({ port, requestTimeoutMs }: Config): Promise<readonly KeptProcess[]> {
    const stopMs = requestTimeoutMs + STOP_EXTENSION_MS
    const portOf = (own: number) => ({ PORT: String(port === 0 ? 0 : own), DEMO: '0' })
    const add = (kept: KeptProcess) => void this.#started.push(kept)
    const subgraphs = await Promise.all(
      SERVICES.map(service =>
        KeptProcess.start(
          { name: service.name, args: [SUBGRAPH, service.name], env: portOf(service.port), stopMs },
          add,
        ),
      ),
    )
    const env = { ...portOf(port), SUBGRAPH_URLS: urlsOf(subgraphs) }
    const all = [
      ...subgraphs,
      await KeptProcess.start({ name: 'gateway', args: [GATEWAY], env, stopMs }, add),
    ]
    const installationPorts = all.map(({ address }) => Number(new URL(address).port))
    for (const one of all) one.tell({ installationPorts } satisfies InstallationPorts)
    return all
  }

  /** The gateway first, so that what it has in flight still finds the services; one that hangs is killed. */
  async stop(): Promise<void> {
    const isGateway = ({ name }: KeptProcess) => name === 'gateway'
    await Promise.all(this.#started.filter(isGateway).map(kept => kept.stop()))
    await Promise.all(this.#started.map(kept => kept.stop()))
  }
}

/** The lines that say where each process listens. */
export const addressLines = (processes: readonly KeptProcess[]): string[] => [
  `partner-graph is ready at ${processes.at(-1)!.address} with ${processes.length} processes`,
  ...processes.map(({ name, address }) => `${name} listens at ${address}`),
]
