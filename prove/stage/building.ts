/** A stage while it is built: servers with their settings, clocks and wires, and all that is to be taken down again. */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '#subgraphs/names.ts'
import { sabotageArguments } from '../sabotage/arguments.ts'
import { clockSettings } from './clock.ts'
import type { Postgres } from './cluster.ts'
import { undoAtExit } from './leftovers.ts'
import { Process, stablePort } from './process.ts'
import { Wire } from './wire.ts'

export const TOPOLOGIES = ['embedded', 'postgres', 'instances', 'separate', 'patroni'] as const
/**
 * Embedded database; one server on PostgreSQL; two servers on one; gateway and services in processes of their own; two servers on
 * three databases under Patroni.
 */
export type TopologyName = (typeof TOPOLOGIES)[number]

/** The checkout that servers are started from. */
export const ROOT = join(import.meta.dirname, '../..')

/** Flags by which what was compiled before is used again, as `npm start` has them. */
export const COMPILED_BEFORE: readonly string[] = ['--import', join(ROOT, 'compile-cache.js')]

/** Sentences of a server that does not start, since its database takes nothing at the moment (docs/operating.md). */
const WITHOUT_DATABASE =
  /^(The database of DATABASE_URL cannot be used: .*|Nothing can be changed here: the database, or this process .*)$/m

export interface StageOptions {
  readonly topology: TopologyName
  readonly behind: 'ledger' | 'systems'
  /** Name of a sabotage that servers are started with. */
  readonly sabotage?: string
}

/** The settings that every server of a run has. */
const commonSettings = (folder: string, secretsKey: string): Record<string, string> => {
  const supergraph = join(folder, 'supergraph.graphql')
  copyFileSync(join(ROOT, 'schema/supergraph.graphql'), supergraph)
  return {
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW: '127.0.0.1',
    SUPERGRAPH: supergraph,
    PAGES: '0',
    DEMO: '1',
    TOKEN_LIFETIME_SECONDS: '300',
  }
}

export class Building {
  readonly folder: string
  readonly options: StageOptions
  readonly env: Record<string, string>
  readonly servers: Process[] = []
  readonly databaseWires: Wire[] = []
  readonly serviceWires: Wire[] = []
  readonly clocks: string[] = []
  readonly stack = new AsyncDisposableStack()

  constructor(options: StageOptions) {
    this.options = options
    this.folder = mkdtempSync(join(tmpdir(), 'partner-graph-prove-'))
    chmodSync(this.folder, 0o755)
    const remove = () => rmSync(this.folder, { recursive: true, force: true })
    const isOver = undoAtExit(remove)
    this.stack.defer(() => {
      remove()
      isOver()
    })
    this.env = commonSettings(this.folder, randomBytes(32).toString('base64'))
  }

  /** Adds a server that is not started yet. */
  async server(
    name: string,
    args: readonly string[],
    own: Record<string, string>,
    port?: number,
  ): Promise<Process> {
    const clock = join(this.folder, `${name}.clock`)
    const moved = clockSettings(clock)
    if (Object.keys(moved).length > 0) this.clocks.push(clock)
    const server = new Process({
      name,
      args: [...COMPILED_BEFORE, ...sabotageArguments(this.options.sabotage), ...args],
      env: { ...this.env, ...own, ...moved },
      logFile: join(this.folder, `${name}.log`),
      port: port ?? (await stablePort()),
      readyPath: '/health/ready',
      notYet: WITHOUT_DATABASE,
    })
    this.servers.push(server)
    this.stack.defer(() => server.kill())
    return server
  }

  /** The database through a wire of its own. */
  async wired(postgres: Postgres, name: string, pool: number): Promise<Record<string, string>> {
    const wire = this.stack.use(await Wire.open(`${name}-database`, postgres.port))
    this.databaseWires.push(wire)
    return {
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${wire.port}/postgres`,
      DATABASE_POOL_SIZE: String(pool),
    }
  }

  async separate(postgres: Postgres): Promise<void> {
    const urls: string[] = []
    for (const { name } of SERVICES) {
      const server = await this.server(
        name,
        [join(ROOT, 'subgraphs/main.ts'), name],
        await this.wired(postgres, name, 3),
      )
      const wire = this.stack.use(await Wire.open(`gateway-${name}`, server.port))
      this.serviceWires.push(wire)
      urls.push(`${name}=http://127.0.0.1:${wire.port}`)
    }
    await this.server('gateway', [join(ROOT, 'topology/gateway-only.ts')], {
      ...(await this.wired(postgres, 'gateway', 2)),
      SUBGRAPH_URLS: urls.join(','),
    })
  }
}
