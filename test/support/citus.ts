/**
 * Scratch databases on the three nodes of `CITUS_DATABASE_URL`: one of the same name on each node, laid out as
 * `npm run db:layout -- citus` does. The database that the address names has Citus and knows the nodes.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { onMigratingConnection } from '#core/data/postgres.ts'
import { layOut } from '#prisma/citus-layout.ts'

/** A node of the cluster. */
export interface CitusNode {
  readonly host: string
  readonly port: number
}

const coordinator = () => {
  const url = process.env['CITUS_DATABASE_URL']
  if (!url)
    throw new Error(
      'CITUS_DATABASE_URL is not set: it names the coordinator of three nodes with the Citus extension',
    )
  return url
}

/** The address of a database on a node, or on the coordinator. */
export const urlOn = (name: string, node?: CitusNode): string => {
  const url = new URL(coordinator())
  url.pathname = `/${name}`
  if (node) Object.assign(url, { hostname: node.host, port: String(node.port) })
  return url.href
}

/** Runs something on a database. */
export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

const NODES = `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`

/** The nodes of the cluster, the coordinator first. */
export async function citusNodes(): Promise<CitusNode[]> {
  const nodes = await withClient(coordinator(), async client => (await client.query<CitusNode>(NODES)).rows)
  if (nodes.length < 3)
    throw new Error('CITUS_DATABASE_URL must know three nodes: citus_set_coordinator_host, citus_add_node')
  return nodes
}

/** The database of a node on which others are made and dropped. */
const MAINTENANCE = 'postgres'

/** Joins the databases of one name on all nodes to a cluster in which every node takes tables. */
const join = (name: string, [first, ...others]: readonly CitusNode[]) =>
  withClient(urlOn(name), async client => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [first!.host, first!.port])
    for (const { host, port } of others) await client.query('SELECT citus_add_node($1, $2)', [host, port])
    await client.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', TRUE)`, [
      first!.host,
      first!.port,
    ])
  })

const onServer = (node: CitusNode, sql: string) =>
  withClient(urlOn(MAINTENANCE, node), client => client.query(sql))

/** Ends all connections to a database for good, those by which Citus itself goes from node to node too. */
const close = (node: CitusNode, name: string) =>
  withClient(urlOn(MAINTENANCE, node), async client => {
    // One whose dropping was broken off has a limit of its own, and takes no connection any more.
    const open = 'SELECT FROM pg_database WHERE datname = $1 AND datconnlimit <> -2'
    if (!(await client.query(open, [name])).rowCount) return
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ])
  })

/** Drops the databases of one name. All are closed first: a node that drops its own waits for connections from others. */
const dropOn = async (nodes: readonly CitusNode[], name: string): Promise<void> => {
  await Promise.all(nodes.map(node => close(node, name)))
  await Promise.all(nodes.map(node => onServer(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
}

const scratchName = () => `partner_graph_${randomBytes(6).toString('hex')}`

/** Makes the databases of one name, and lays them out as an operator does. */
const makeOn = async (nodes: readonly CitusNode[], name: string, template: string): Promise<void> => {
  await Promise.all(
    nodes.map(async (node, index) => {
      const made = index === 0 ? `CREATE DATABASE ${name} TEMPLATE ${template}` : `CREATE DATABASE ${name}`
      await onServer(node, made)
      await withClient(urlOn(name, node), client => client.query('CREATE EXTENSION citus'))
    }),
  )
  await join(name, nodes)
  await onMigratingConnection(urlOn(name), run => layOut(run, () => undefined))
}

/** A database on all nodes; `drop` takes it away. */
interface OnCitus {
  readonly url: string
  drop(): Promise<void>
}

/** Lays a copy of a database out over all nodes. @param template the migrated one on the coordinator. */
export async function createOnCitus(template: string): Promise<OnCitus> {
  const nodes = await citusNodes()
  const name = scratchName()
  await makeOn(nodes, name, template)
  return { url: urlOn(name), drop: () => dropOn(nodes, name) }
}

const LAID_OUT = '_laid_out'

/** Drops what was laid out for runs that are over. */
const dropFormer = async (nodes: readonly CitusNode[], client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname::text AS name FROM pg_database d WHERE datname LIKE 'partner\\_graph\\_%' || $1
     AND NOT EXISTS (SELECT FROM pg_database o WHERE o.datname || $2 = d.datname)`,
    [LAID_OUT.replaceAll('_', '\\_'), LAID_OUT],
  )
  for (const { name } of rows) await dropOn(nodes, name)
}

/** Lays one out for all copies of a run, whichever of its processes comes first; one at a time, since the former are dropped. */
const layOutOnce = (nodes: readonly CitusNode[], template: string): Promise<string> =>
  withClient(urlOn(MAINTENANCE, nodes[0]), async client => {
    const name = `${template}${LAID_OUT}`
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [LAID_OUT])
    const finished = 'SELECT FROM pg_database WHERE datname = $1 AND NOT datallowconn'
    if ((await client.query(finished, [name])).rowCount) return name
    await dropFormer(nodes, client)
    await dropOn(nodes, name)
    await makeOn(nodes, name, template)
    // The coordinator's last: once it is closed the others are too.
    for (const node of nodes.toReversed()) await close(node, name)
    return name
  })

/**
 * A copy, on all nodes, of a database that was laid out once: it takes a tenth of the time. Nodes know their parts by numbers
 * of PostgreSQL that a copy keeps. @param template the migrated one on the coordinator, which is not laid out.
 */
export async function copyOnCitus(template: string): Promise<OnCitus> {
  const nodes = await citusNodes()
  const laidOut = await layOutOnce(nodes, template)
  const name = scratchName()
  await Promise.all(nodes.map(node => onServer(node, `CREATE DATABASE ${name} TEMPLATE ${laidOut}`)))
  return { url: urlOn(name), drop: () => dropOn(nodes, name) }
}
