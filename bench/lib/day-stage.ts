/** The program on one PostgreSQL, or on three nodes with Citus, with partners' clients, accounts and receivers of webhooks. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres } from '#core/data/db.ts'
import { citusNodes, createOnCitus, urlOn, withClient } from '#test/support/citus.ts'
import { fillClients, fillDirectory } from './fill.ts'
import { fillPoints } from './mix.ts'
import { type NodeProbe, openNode } from './nodes.ts'
import { tokenHeaders } from './pair.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { createScratch, SECRETS_KEY } from './scratch.ts'
import { type Server, startServer } from './server.ts'

const RECEIVERS = 20

export interface DayStage extends AsyncDisposable {
  /** A clause on the database. */
  readonly about: string
  readonly server: Server
  readonly headers: Readonly<Record<string, string>>
  readonly receivers: Receivers
  /** A connection to the coordinator, or to the one server. */
  readonly client: pg.Client
  readonly nodes: readonly NodeProbe[]
  /** Schemas of each node, in words. */
  readonly holds: readonly string[]
  /** Bytes of the database on each node. */
  sizes(): Promise<readonly number[]>
}

interface Opened {
  readonly about: string
  readonly url: string
  readonly nodes: readonly NodeProbe[]
  holds(client: pg.Client): Promise<readonly string[]>
}

const openOne = async (stack: AsyncDisposableStack): Promise<Opened> => {
  const { url } = stack.use(await createScratch())
  const node = stack.use(await openNode('PostgreSQL', url))
  return { about: 'one PostgreSQL', url, nodes: [node], holds: async () => ['all schemas'] }
}

const PLACED = `SELECT s.nodename || ':' || s.nodeport AS node, n.nspname AS schema FROM citus_shards s
  JOIN pg_class c ON c.oid = s.table_name JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE s.citus_table_type = 'schema' GROUP BY 1, 2 ORDER BY 2`

/** A database that is migrated and then laid out, as an operator does. */
const openCitus = async (stack: AsyncDisposableStack): Promise<Opened> => {
  const all = await citusNodes()
  const template = `partner_graph_day_${randomBytes(4).toString('hex')}`
  const onCoordinator = (sql: string) => withClient(urlOn('postgres', all[0]), client => client.query(sql))
  await onCoordinator(`CREATE DATABASE ${template}`)
  stack.defer(async () => void (await onCoordinator(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)))
  await migratePostgres(readConfig({ DATABASE_URL: urlOn(template), SECRETS_KEY }))
  const { url, drop } = await createOnCitus(template)
  stack.defer(drop)
  const name = new URL(url).pathname.slice(1)
  const nodes: NodeProbe[] = []
  for (const node of all)
    nodes.push(stack.use(await openNode(`${node.host}:${node.port}`, urlOn(name, node))))
  const holds = async (client: pg.Client) => {
    const { rows } = await client.query<{ node: string; schema: string }>(PLACED)
    return nodes.map(one =>
      rows
        .filter(({ node }) => node === one.name)
        .map(({ schema }) => schema)
        .join(', '),
    )
  }
  const [{ version }] = (await nodes[0]!.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  )) as [{ version: string }]
  return { about: `${nodes.length} nodes with Citus ${version}`, url, nodes, holds }
}

/** Opens it on Citus where `CITUS_DATABASE_URL` is set, else on one PostgreSQL. */
export async function openDayStage(): Promise<DayStage> {
  await using stack = new AsyncDisposableStack()
  const { about, url, nodes, holds } = await (process.env['CITUS_DATABASE_URL']
    ? openCitus(stack)
    : openOne(stack))
  const client = new pg.Client(url)
  await client.connect()
  stack.defer(() => client.end())
  await fillClients(client)
  await fillDirectory(client)
  await fillPoints(client)
  const receivers = stack.use(await startReceivers(RECEIVERS))
  const env = { DATABASE_URL: url, SECRETS_KEY, WEBHOOK_ALLOW: '127.0.0.1' }
  const server = await startServer('gateway/main.ts', { env, mayWarn: true })
  // One that is given more than it can do says so, which is a finding.
  stack.defer(async () => {
    try {
      await server[Symbol.asyncDispose]()
    } catch (error) {
      console.log((error as Error).message)
    }
  })
  const headers = await tokenHeaders(server.address, 'bench-partner')
  const opened = { about, server, headers, receivers, client, nodes, holds: await holds(client) }
  const kept = stack.move()
  return {
    ...opened,
    sizes: () =>
      Promise.all(
        nodes.map(async node => {
          const [row] = await node.query<{ bytes: string }>(
            'SELECT pg_database_size(current_database()) AS bytes',
          )
          return Number(row!.bytes)
        }),
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
