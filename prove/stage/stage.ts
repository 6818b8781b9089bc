/** Everything of a run that is not a client: the servers of a topology, their database, their systems, and the wires between. */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '#subgraphs/names.ts'
import type { BeforeLine } from '../history/lines.ts'
import { sabotageArguments } from '../sabotage/arguments.ts'
import { clockSettings } from './clock.ts'
import { CAN_MAKE_CLUSTERS, mountDisk, Postgres, unmountDisk } from './cluster.ts'
import { type Place, prepareDatabase } from './database.ts'
import { undoAtExit } from './leftovers.ts'
import { Process, stablePort } from './process.ts'
import { Systems } from './systems.ts'
import { Wire } from './wire.ts'

export const TOPOLOGIES = ['embedded', 'postgres', 'instances', 'separate'] as const
/** Embedded database; one server on PostgreSQL; two servers on one; gateway and services in processes of their own. */
export type TopologyName = (typeof TOPOLOGIES)[number]

const ROOT = join(import.meta.dirname, '../..')
const SERVER = join(ROOT, 'gateway/main.ts')
const EMBEDDED_DISK = '400m'

export interface StageOptions {
  readonly topology: TopologyName
  readonly behind: 'ledger' | 'systems'
  /** Name of a sabotage that servers are started with. */
  readonly sabotage?: string
}

export interface Stage extends AsyncDisposable {
  readonly options: StageOptions
  readonly folder: string
  readonly servers: readonly Process[]
  /** Servers that clients call. */
  readonly addresses: readonly string[]
  readonly postgres?: Postgres
  readonly systems?: Systems
  /** Wires from servers to the database, and from the gateway to services. */
  readonly databaseWires: readonly Wire[]
  readonly serviceWires: readonly Wire[]
  /** Disk that the database writes to, where one could be mounted. */
  readonly disk?: string
  readonly clocks: readonly string[]
  readonly supergraph: string
  /** Settings of a server, for the command line. */
  readonly env: Readonly<Record<string, string>>
  /** Where the database is without any wire, for what reads it at the end. */
  readonly place: Place
  readonly before: BeforeLine
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

class Building {
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
      args: [...sabotageArguments(this.options.sabotage), ...args],
      env: { ...this.env, ...own, ...moved },
      logFile: join(this.folder, `${name}.log`),
      port: port ?? (await stablePort()),
      readyPath: '/health/ready',
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

const openPostgres = async (building: Building) => {
  if (!CAN_MAKE_CLUSTERS) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  const postgres = building.stack.use(await Postgres.open(building.folder))
  return { postgres, place: { ...building.env, DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: '4' } }
}

const openFolder = (building: Building) => {
  const disk = join(building.folder, 'disk')
  mkdirSync(disk)
  const isMounted = mountDisk(disk, EMBEDDED_DISK)
  if (isMounted) {
    const isOver = undoAtExit(() => unmountDisk(disk))
    building.stack.defer(() => {
      unmountDisk(disk)
      isOver()
    })
  }
  return { disk: isMounted ? disk : undefined, place: { ...building.env, DATA_DIR: join(disk, 'data') } }
}

/** Adds the servers of the topology; they are not started. */
const addServers = async (building: Building, place: Place, postgres: Postgres | undefined) => {
  const { topology } = building.options
  if (!postgres) return void (await building.server('server', [SERVER], { DATA_DIR: place['DATA_DIR']! }))
  if (topology === 'separate') return building.separate(postgres)
  for (const name of topology === 'instances' ? ['server-1', 'server-2'] : ['server-1'])
    await building.server(name, [SERVER], await building.wired(postgres, name, 6))
}

/** Starts the servers of a topology on an empty database with the demo data; disposes of itself. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const building = new Building(options)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => building.stack.disposeAsync())
  const { postgres, disk, place } =
    options.topology === 'embedded'
      ? { postgres: undefined, ...openFolder(building) }
      : { disk: undefined, ...(await openPostgres(building)) }
  const before = await prepareDatabase(place)
  // Callbacks go to a server whose port is known before it runs.
  const callbackPort = await stablePort()
  const wire = building.stack.use(await Wire.open('callbacks', callbackPort))
  const systems =
    options.behind === 'systems'
      ? building.stack.use(
          await Systems.open(building.folder, `http://127.0.0.1:${wire.port}/charging/callbacks`),
        )
      : undefined
  Object.assign(building.env, systems?.env)
  await addServers(building, place, postgres)
  const callable = building.servers.filter(({ name }) => /^(server|gateway)/.test(name))
  wire.target = (building.servers.find(({ name }) => name === 'postpaid-billing') ?? callable[0]!).port
  await Promise.all(building.servers.map(server => server.start()))
  const kept = stack.move()
  return {
    options,
    folder: building.folder,
    servers: building.servers,
    addresses: callable.map(({ address }) => address),
    ...(postgres && { postgres }),
    ...(systems && { systems }),
    databaseWires: building.databaseWires,
    serviceWires: building.serviceWires,
    ...((disk ?? postgres?.disk) && { disk: (disk ?? postgres?.disk)! }),
    clocks: building.clocks,
    supergraph: building.env['SUPERGRAPH']!,
    env: building.env,
    // A standby that was promoted listens elsewhere.
    get place() {
      return postgres ? { ...place, DATABASE_URL: postgres.url } : place
    },
    before,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
