/** A database with all migrations, to compare `prisma/schema` with. */
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { loadTemplate } from '#core/data/embedded.ts'

/** Runs something with the adapter of such a database, which is thrown away afterwards. */
export async function withTemplate<T>(run: (adapter: PrismaPGlite) => Promise<T>): Promise<T> {
  await using pglite = await PGlite.create({ loadDataDir: await loadTemplate() })
  return await run(new PrismaPGlite(pglite))
}
