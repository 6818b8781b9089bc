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

/** A migrated database on all nodes; `drop` takes it away. @param template the migrated one on the coordinator. */
export async function createOnCitus(template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const nodes = await citusNodes()
  const name = `partner_graph_${randomBytes(6).toString('hex')}`
  await Promise.all(
    nodes.map(async (node, index) => {
      const made = index === 0 ? `CREATE DATABASE ${name} TEMPLATE ${template}` : `CREATE DATABASE ${name}`
      await withClient(urlOn(MAINTENANCE, node), client => client.query(made))
      await withClient(urlOn(name, node), client => client.query('CREATE EXTENSION citus'))
    }),
  )
  await join(name, nodes)
  await onMigratingConnection(urlOn(name), run => layOut(run, () => undefined))
  const drop = (node: CitusNode) =>
    withClient(urlOn(MAINTENANCE, node), client => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  return {
    url: urlOn(name),
    async drop() {
      for (const node of nodes) await drop(node)
    },
  }
}
