/** `npm run db:diff`: the SQL of the next migration, from those there are to `prisma/schema`; `--check` wants none. */
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { diffMigrations } from '../subgraphs/shared/data/migrate.ts'

await using pglite = new PGlite()
const sql = await diffMigrations(new PrismaPGlite(pglite))
console.log(sql || '-- prisma/schema and prisma/migrations agree')
if (sql && process.argv.includes('--check')) process.exitCode = 1
