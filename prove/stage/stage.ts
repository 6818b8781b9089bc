/** Everything of a run that is not a client: the servers of a topology, their database, their systems, and the wires between. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PatroniCluster, startPatroni } from '#test/failover/patroni.ts'
import type { BeforeLine } from '../history/lines.ts'
import { Building, ROOT, type StageOptions } from './building.ts'
import { CAN_MAKE_CLUSTERS, Postgres } from './cluster.ts'
import { type Place, prepareDatabase } from './database.ts'
import { mountDisk, unmountDisk } from './disk.ts'
import { undoAtExit } from './leftovers.ts'
import { type Process, stablePort } from './process.ts'
import { Systems } from './systems.ts'
import { Wire } from './wire.ts'

const SERVER = join(ROOT, 'gateway/main.ts')
const EMBEDDED_DISK = '400m'

export interface Stage extends AsyncDisposable {
  readonly options: StageOptions
  readonly folder: string
  readonly servers: readonly Process[]
  /** Servers that clients call. */
  readonly addresses: readonly string[]
  readonly postgres?: Postgres
  readonly patroni?: PatroniCluster
  readonly systems?: Systems
  /** Wires from servers to the database, and from the gateway to services. */
  readonly databaseWires: readonly Wire[]
  readonly serviceWires: readonly Wire[]
  /** Disk that the database writes to, where one could be mounted. */
  readonly disk?: string
  readonly clocks: readonly string[]
  readonly supergraph: string
  /** Settings of a server with the database without any wire, for the command line and what reads it at the end. */
  readonly place: Place
  readonly before: BeforeLine
  /** Changes settings of servers that are started from now on, and of the command line. */
  set(env: Readonly<Record<string, string>>): void
  /** Keeps something until the stage is taken down. */
  keep<Kept extends AsyncDisposable>(kept: Kept): Kept
}

/** A database, with the settings by which it is found without any wire. */
interface Base {
  readonly postgres?: Postgres
  readonly patroni?: PatroniCluster
  readonly disk?: string
  own(): Record<string, string>
}

const openPostgres = async (building: Building): Promise<Base> => {
  if (!CAN_MAKE_CLUSTERS) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  const postgres = building.stack.use(await Postgres.open(building.folder))
  return {
    postgres,
    ...(postgres.disk && { disk: postgres.disk }),
    // A standby that was promoted listens elsewhere.
    own: () => ({ DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: '4' }),
  }
}

const ANY_PRIMARY = '/postgres?target_session_attrs=read-write'
const hostsUrl = ({ hosts }: PatroniCluster): string => `postgresql://postgres@${hosts}${ANY_PRIMARY}`
const proxyUrl = ({ proxy }: PatroniCluster): string => `postgresql://postgres@${proxy}${ANY_PRIMARY}`

const openPatroni = async (building: Building): Promise<Base> => {
  const patroni = building.stack.use(await startPatroni())
  const isOver = undoAtExit(() => patroni.abandon())
  building.stack.defer(() => void isOver())
  return { patroni, own: () => ({ DATABASE_URL: hostsUrl(patroni), DATABASE_POOL_SIZE: '4' }) }
}

const openFolder = (building: Building): Base => {
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
  return { ...(isMounted && { disk }), own: () => ({ DATA_DIR: join(disk, 'data') }) }
}

const openBase = (building: Building): Promise<Base> | Base => {
  const { topology } = building.options
  if (topology === 'embedded') return openFolder(building)
  return topology === 'patroni' ? openPatroni(building) : openPostgres(building)
}

/** Adds the servers of the topology; they are not started. */
const addServers = async (building: Building, { postgres, patroni, own }: Base) => {
  const { topology } = building.options
  if (patroni) {
    await building.server('server-1', [SERVER], { DATABASE_URL: hostsUrl(patroni), DATABASE_POOL_SIZE: '6' })
    await building.server('server-2', [SERVER], { DATABASE_URL: proxyUrl(patroni), DATABASE_POOL_SIZE: '6' })
    return
  }
  if (!postgres) return void (await building.server('server', [SERVER], own()))
  if (topology === 'separate') return building.separate(postgres)
  for (const name of topology === 'instances' ? ['server-1', 'server-2'] : ['server-1'])
    await building.server(name, [SERVER], await building.wired(postgres, name, 6))
}

/** Starts the servers of a topology on an empty database with the demo data; disposes of itself. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const building = new Building(options)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => building.stack.disposeAsync())
  const base = await openBase(building)
  const placeNow = () => ({ ...building.env, ...base.own() })
  const before = await prepareDatabase(placeNow())
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
  await addServers(building, base)
  const callable = building.servers.filter(({ name }) => /^(server|gateway)/.test(name))
  wire.target = (building.servers.find(({ name }) => name === 'postpaid-billing') ?? callable[0]!).port
  await Promise.all(building.servers.map(server => server.start()))
  const kept = stack.move()
  const { postgres, patroni, disk } = base
  return {
    options,
    folder: building.folder,
    servers: building.servers,
    addresses: callable.map(({ address }) => address),
    ...(postgres && { postgres }),
    ...(patroni && { patroni }),
    ...(systems && { systems }),
    databaseWires: building.databaseWires,
    serviceWires: building.serviceWires,
    ...(disk && { disk }),
    clocks: building.clocks,
    supergraph: building.env['SUPERGRAPH']!,
    get place() {
      return placeNow()
    },
    before,
    set: env => void Object.assign(building.env, env),
    keep: one => building.stack.use(one),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
