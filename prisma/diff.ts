/**
 * `npm run db:diff`: the SQL that `npm run db:migrate -- create` would write. With `--check` it fails where there is any,
 * or where the Prisma client was generated from another schema.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadKinds } from '#subgraphs/load.ts'
import { kindsWithoutModel } from './create-migration.ts'
import { diffSchema, withTemplate } from './diff-schema.ts'

const SCHEMA = join(import.meta.dirname, 'schema')

/** Text of a schema without the alignment of its columns, which the generated client adds. */
const withoutAlignment = (text: string) => text.trim().replace(/ +/g, ' ')

/** Finds the files of `prisma/schema` that have changed since the client was generated. */
const filesSinceGenerated = (): string[] => {
  const client = join(import.meta.dirname, 'generated/internal/class.ts')
  const quoted = withoutAlignment(readFileSync(client, 'utf8'))
  const isQuoted = (file: string) =>
    quoted.includes(JSON.stringify(withoutAlignment(readFileSync(join(SCHEMA, file), 'utf8'))).slice(1, -1))
  return readdirSync(SCHEMA).filter(file => !isQuoted(file))
}

const without = kindsWithoutModel(await loadKinds(), SCHEMA)
const comments = without.map(
  ({ typename }) => `-- ${typename} has no table: npm run db:migrate -- create <name>\n`,
)
const stale = filesSinceGenerated().map(file => `-- changed since npm run db:client: prisma/schema/${file}\n`)
const sql = [...comments, ...stale, await withTemplate(diffSchema)].join('')
console.log(sql || '-- prisma/schema, prisma/migrations and the generated client agree')
if (sql && process.argv.includes('--check')) process.exitCode = 1
