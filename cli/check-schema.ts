/**
 * Comparison of the checked-in schema with another one: `npm run check:schema -- --against <file> [--usage]`. Exit code 1
 * is a change that breaks something, or with `--usage` somebody; 2 is wrong usage.
 */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { SetupError } from '#core/errors/catalogue.ts'
import { readUses, type UseByClient } from '#core/schema-use/read.ts'
import { apiSchemaOf } from '#gateway/supergraph/api-schema.ts'
import { API_SCHEMA_FILE } from '#gateway/supergraph/document.ts'
import { withDatabase } from './open.ts'
import { errorText, printResult, table } from './output.ts'
import { type BreakingChange, breakingChanges, breaksSomething } from './schema-changes.ts'

const DAY_MS = 86_400_000

const DETAILS = `
Both ways are shown: from <file> to the checked-in schema (schema/api.graphql), as when <file> is what clients have now; and from
the checked-in schema to <file>, as when <file> is a draft, or the version before that may come back.

Without --usage every breaking change from <file> counts. With it a change counts, either way, where a client uses what it breaks:
by the records of the database in DATABASE_URL, or the embedded one in DATA_DIR (stop its server first).
Exit code: 0 nothing breaks, 1 something breaks, 2 wrong usage.`

interface Options {
  readonly against: string
  readonly usage?: boolean
  readonly days?: string
  readonly json?: boolean
}

const readSchema = (file: string): GraphQLSchema => {
  try {
    const text = readFileSync(file, 'utf8')
    return buildSchema(/@join__/.test(text) ? apiSchemaOf(text) : text)
  } catch (error) {
    throw new SetupError(`${file} is no schema that can be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

const daysOf = (days: string | undefined): number | undefined => {
  if (days === undefined) return undefined
  const number = Number(days)
  if (Number.isInteger(number) && number > 0) return number
  throw new SetupError('--days must be a whole number of days')
}

const readRecorded = async ({ usage, days }: Options): Promise<UseByClient[] | undefined> => {
  if (!usage) return undefined
  const number = daysOf(days)
  const span = number === undefined ? {} : { from: new Date(Date.now() - number * DAY_MS) }
  return withDatabase(({ db }) => readUses(db, span))
}

const clientsText = ({ clients = [] }: BreakingChange): string[] =>
  clients.length === 0
    ? ['    used by nobody']
    : table(
        ['CLIENT', 'USES', 'LAST'],
        clients.map(({ clientId, count, lastAt }) => [clientId, String(count), lastAt.toISOString()]),
      )
        .split('\n')
        .map(line => `    ${line}`)

const describe = (title: string, changes: readonly BreakingChange[]): string =>
  [
    `${title}: ${changes.length === 0 ? 'nothing breaks' : `${changes.length} breaking`}`,
    ...changes.flatMap(change => [
      `  ${change.path}: ${change.message}`,
      ...(change.clients ? clientsText(change) : []),
    ]),
  ].join('\n')

const check = async (options: Options): Promise<number> => {
  const [current, other] = [readSchema(API_SCHEMA_FILE), readSchema(options.against)]
  const uses = await readRecorded(options)
  const forth = await breakingChanges(other, current, uses)
  const back = await breakingChanges(current, other, uses)
  const breaks = breaksSomething(forth) || (uses !== undefined && breaksSomething(back))
  const file = options.against
  printResult(options.json, { breaks, fromFile: forth, toFile: back }, () =>
    [
      describe(`From ${file} to schema/api.graphql`, forth),
      describe(`From schema/api.graphql to ${file}`, back),
      ...(uses?.length === 0 ? ['No use of the schema is recorded in this database.'] : []),
    ].join('\n'),
  )
  return breaks ? 1 : 0
}

/** Runs the comparison; returns the exit code. */
export async function runSchemaCheck(args: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('check:schema')
    .description('says what changes of the schema break, and whom')
    .requiredOption('--against <file>', 'the other schema: SDL as /schema.graphql has it, or a supergraph')
    .option('--usage', 'name the clients that use what breaks, and count them alone')
    .option('--days <n>', 'uses of the last days; all that are kept unless given')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', DETAILS)
    .exitOverride()
    .action(async (options: Options) => {
      code = await check(options)
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`error: ${errorText(error)}\n`)
    return 2
  }
}

// Tests run it in their own process.
if (import.meta.main) process.exitCode = await runSchemaCheck(process.argv.slice(2))
