/** A database that refuses to write some tables, as one does whose disk is full. */
import type { Db } from '#core/data/db.ts'

interface Refusal {
  /** SQLSTATE. */
  readonly state: string
  readonly words: string
}

export const FULL_DISK: Refusal = {
  state: '53100',
  words: 'could not extend file: No space left on device',
}

/**
 * Lets each write to tables be refused; the returned function ends it. A constraint does so, since Citus has no triggers on
 * tables that it distributes.
 */
export async function refuseWrites(
  db: Db,
  tables: readonly string[],
  { state, words }: Refusal,
): Promise<() => Promise<void>> {
  await db.$executeRawUnsafe(`CREATE FUNCTION public.refused() RETURNS boolean LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '${words}' USING ERRCODE = '${state}'; END $$`)
  for (const table of tables)
    await db.$executeRawUnsafe(
      `ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (public.refused()) NOT VALID`,
    )
  return async () => {
    for (const table of tables) await db.$executeRawUnsafe(`ALTER TABLE ${table} DROP CONSTRAINT refused`)
    await db.$executeRawUnsafe('DROP FUNCTION public.refused()')
  }
}

/** The tables of sequences, one a schema. */
export const bookTables = async (db: Db): Promise<string[]> => {
  const rows = await db.$queryRaw<{ schema: string }[]>`
    SELECT table_schema::text AS schema FROM information_schema.tables
    WHERE table_name = 'book' AND table_schema <> 'books' ORDER BY 1`
  return rows.map(({ schema }) => `${schema}.book`)
}
