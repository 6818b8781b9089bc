/** `npm run db:diff`: the SQL that `npm run db:migrate -- create` would write; `--check` wants none. */
import { join } from 'node:path'
import { loadKinds } from '#subgraphs/load.ts'
import { diffSchema } from './diff-schema.ts'
import { withTemplate } from './template.ts'
import { kindsWithoutModel } from './transaction-model.ts'

const without = kindsWithoutModel(await loadKinds(), join(import.meta.dirname, 'schema'))
const notes = without.map(
  ({ typename }) => `-- ${typename} has no table: npm run db:migrate -- create <name>\n`,
)
const sql = notes.join('') + (await withTemplate(diffSchema))
console.log(sql || '-- prisma/schema and prisma/migrations agree')
if (sql && process.argv.includes('--check')) process.exitCode = 1
