/** `npm run db:diff`: the SQL for the next migration, from the migrations so far to `prisma/schema`. */
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { diffMigrations } from '../subgraphs/shared/data/migrate.ts'

await using pglite = new PGlite()
console.log((await diffMigrations(new PrismaPGlite(pglite))) || '-- prisma/schema and prisma/migrations agree')
