/** Two gateways, and two processes of each service behind HAProxy, on one database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICES } from '#subgraphs/names.ts'
import { startBalancer } from '../../support/balancer.ts'
import { Member } from './member.ts'

const EACH = 2
/** Twelve services and two gateways stay far below the hundred connections that PostgreSQL has by default. */
const POOL_OF_SERVICE = '3'
const POOL_OF_GATEWAY = '2'

export interface Cluster extends AsyncDisposable {
  readonly gateways: readonly Member[]
  readonly members: readonly Member[]
}

const twice = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: EACH }, (_, n) => make(n + 1)))

/** Starts all; when one does not start, the others are stopped. */
export async function startCluster(env: Readonly<Record<string, string>>): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-instances-'))
  const create = (name: string, args: [string, ...string[]], own: Record<string, string>) =>
    Member.create({ name, args, env: { ...env, ...own }, logFile: join(folder, `${name}.log`) })
  const services = await Promise.all(
    SERVICES.map(async ({ name }) => {
      const pool = { DATABASE_POOL_SIZE: POOL_OF_SERVICE }
      return { name, members: await twice(n => create(`${name}-${n}`, ['subgraphs/main.ts', name], pool)) }
    }),
  )
  const balancer = await startBalancer(
    new Map(services.map(({ name, members }) => [name, members.map(({ address }) => address)])),
  )
  const gateways = await twice(n =>
    create(`gateway-${n}`, ['topology/gateway-only.ts'], {
      SUBGRAPH_URLS: balancer.subgraphUrls,
      DATABASE_POOL_SIZE: POOL_OF_GATEWAY,
    }),
  )
  const members = [...services.flatMap(service => service.members), ...gateways]
  const dispose = async () => {
    await Promise.all(members.map(member => member.kill()))
    await balancer[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(members.map(member => member.start()))
  } catch (error) {
    await dispose()
    throw error
  }
  return { gateways, members, [Symbol.asyncDispose]: dispose }
}
