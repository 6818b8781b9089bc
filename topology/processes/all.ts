/** The seven processes: each service alone, and the gateway that reaches them over HTTP. */

import type { Config } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import type { InstallationPorts } from '#core/process.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { KeptProcess } from './child.ts'

const SUBGRAPH = projectPath('subgraphs/main.ts')
const GATEWAY = projectPath('topology/gateway-only.ts')

const urlsOf = (subgraphs: readonly KeptProcess[]) =>
  subgraphs.map(({ name, address }) => `${name}=${address}/graphql`).join(',')

/** The time to stop beyond `REQUEST_TIMEOUT_MS`: twice that of a process that has to skip a part of its own stop. */
const STOP_EXTENSION_MS = 10_000

/** The running processes, with the gateway last. */
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
    for (const one of all) one.send({ installationPorts } satisfies InstallationPorts)
    return all
  }

  /** Stops the gateway first, so that its requests in flight still find the services; a process that hangs is killed. */
  async stop(): Promise<void> {
    const isGateway = ({ name }: KeptProcess) => name === 'gateway'
    await Promise.all(this.#started.filter(isGateway).map(kept => kept.stop()))
    await Promise.all(this.#started.map(kept => kept.stop()))
  }
}

/** A line for each process with its address. */
export const addressLines = (processes: readonly KeptProcess[]): string[] => [
  `partner-graph is ready at ${processes.at(-1)!.address} with ${processes.length} processes`,
  ...processes.map(({ name, address }) => `${name} listens at ${address}`),
]
