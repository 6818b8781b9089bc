/** Everything that a database holds, as text. */
import type { App } from '#core/context/app.ts'

/** Every row of every table, whatever its columns are. */
export async function everyRow(db: App['db']): Promise<string[]> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`
  const rows: string[] = []
  for (const { name } of tables) {
    const found = await db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`)
    rows.push(...found.map(({ row }) => row))
  }
  return rows
}
