/** `npm run db:layout -- citus`: each schema whole on one node, repeatable, and what is missing in a sentence. */
import type pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { VERSION } from '#core/config/project-files.ts'
import { layOutPostgres } from '#prisma/citus-layout.ts'
import { citusNodes, urlOn, withClient } from '#test/support/citus.ts'
import {
  createEmpty,
  createMigrated,
  createScratch,
  ON_CITUS,
  type Scratch,
  SECRETS_KEY,
} from '#test/support/postgres.ts'

const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const open = async (create: () => Promise<Scratch>) => {
  const scratch = await create()
  ends.push(scratch.drop)
  return scratch.url
}

/** Lays a database out; the lines that are told. */
const layOut = async (url: string): Promise<string[]> => {
  const lines: string[] = []
  await layOutPostgres(readConfig({ DATABASE_URL: url, SECRETS_KEY }), line => lines.push(line))
  return lines
}

describe.skipIf(!onPostgres)('the layout', { timeout: 120_000 }, () => {
  it('LAYOUT-01 MUST ask for the migrations first', async () => {
    await expect(layOut(await open(createEmpty))).rejects.toThrow('run npm run db:migrate first')
  })

  it('LAYOUT-02 MUST say what a server without Citus lacks', async () => {
    const url = await open(createMigrated)
    const isInstalled = await withClient(url, async client => {
      const { rows } = await client.query(`SELECT FROM pg_available_extensions WHERE name = 'citus'`)
      return rows.length > 0
    })
    const words = isInstalled
      ? 'run CREATE EXTENSION citus in it on every node'
      : 'has no Citus: install the extension'
    await expect(layOut(url)).rejects.toThrow(words)
  })
})

describe.skipIf(!ON_CITUS)('on three nodes', { timeout: 120_000 }, () => {
  it('LAYOUT-03 MUST keep each sequence on the node of the table that it numbers, with the version that needs it', async () => {
    const url = await open(createScratch)
    const { rows } = await withClient(url, client =>
      client.query<{ schema: string; nodes: string[]; tables: string[] }>(`
        SELECT c.relnamespace::regnamespace::text AS schema, array_agg(DISTINCT nodename || ':' || nodeport) AS nodes,
          array_agg(c.relname::text ORDER BY c.relname) AS tables
        FROM citus_shards s JOIN pg_class c ON c.oid = s.table_name WHERE s.citus_table_type = 'schema' GROUP BY 1 ORDER BY 1`),
    )
    expect(rows.filter(({ nodes }) => nodes.length !== 1)).toEqual([])
    expect(new Set(rows.flatMap(({ nodes }) => nodes)).size).toBe(3)
    const books = rows.filter(({ tables }) => tables.includes('book')).map(({ schema }) => schema)
    expect(books).toEqual(['events', 'loyalty', 'messaging', 'postpaid', 'prepaid', 'redemption'])
    const served = await withClient(url, client =>
      client.query(`SELECT version FROM access.served_from WHERE migration LIKE '%_books_beside_tables'`),
    )
    expect(served.rows).toEqual([{ version: VERSION }])
  })

  it('LAYOUT-04 MUST change nothing where it is run again, and say where each schema is', async () => {
    const url = await open(createScratch)
    const lines = await layOut(url)
    expect(lines[0]).toBe('nothing to copy to every node')
    const others = lines.slice(1).filter(line => !/stays? on the coordinator/.test(line))
    const { rows } = await withClient(url, client =>
      client.query<{ line: string }>(`
        SELECT DISTINCT c.relnamespace::regnamespace || ': is already on ' || nodename || ':' || nodeport AS line
        FROM citus_shards s JOIN pg_class c ON c.oid = s.table_name WHERE s.citus_table_type = 'schema'`),
    )
    expect(rows.map(({ line }) => line)).toContain(others.find(line => line.startsWith('events: ')))
    expect(others.toSorted()).toEqual(rows.map(({ line }) => line).toSorted())
  })

  it('LAYOUT-05 MUST ask for the coordinator where it is given a worker', async () => {
    const url = new URL(await open(createScratch))
    const worker = (await citusNodes()).at(-1)!
    await expect(layOut(urlOn(url.pathname.slice(1), worker))).rejects.toThrow(
      'give it the address of the coordinator',
    )
  })

  it('LAYOUT-06 MUST say how workers are added where there is none', async () => {
    const url = await open(createMigrated)
    await withClient(url, client => client.query('CREATE EXTENSION citus'))
    await expect(layOut(url)).rejects.toThrow("SELECT citus_add_node('<address>', <port>) for each node")
  })

  it('LAYOUT-07 MUST copy to every node what an earlier version put on one', async () => {
    const url = await open(createScratch)
    const kept = (client: pg.Client) =>
      client.query(
        `SELECT relname, reloptions FROM pg_class WHERE relnamespace = 'analytics'::regnamespace AND relkind = 'v' ORDER BY 1`,
      )
    const before = await withClient(url, async client => {
      const { rows } = await kept(client)
      await client.query(`SELECT undistribute_table('analytics.reader')`)
      await client.query(`SELECT citus_schema_distribute('analytics')`)
      return rows
    })
    expect(await layOut(url)).toContain('copied to every node: analytics.reader')
    const after = await withClient(url, kept)
    expect(after.rows).toEqual(before)
  })
})
