/**
 * `export timeline`: the timeline as a file, as `GET /exports/timeline.*` gives it to an analyst. `activity rebuild`: the
 * timeline and its sums, made again from the services' tables.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { administrator, recordAct } from '#core/audit/acts.ts'
import { ServiceError, SetupError } from '#core/errors/catalogue.ts'
import { FORMATS, type FormatName } from '#core/http/row-files.ts'
import type { Query } from '#core/values/text.ts'
import { exportTimeline } from '#subgraphs/activity/export/export.ts'
import { createReadParameters, PARAMETERS } from '#subgraphs/activity/export/parameters.ts'
import { openCheckpoints, projectAll, rebuild } from '#subgraphs/activity/projection/project.ts'
import { timelineQuery } from '#subgraphs/activity/timeline/filter.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

const EXPORT_DETAILS = `
The options are the parameters of GET /exports/timeline.csv; kinds and outcomes take several values, separated by
commas. With --output the file appears under its name once it is whole. Of what was posted just now, what the servers
have not yet put into the timeline is put there first.`

type Options = Readonly<Record<string, string>> & { readonly format: FormatName; readonly output?: string }

/** Writes to standard output, never faster than its reader. */
const printAll = async (texts: AsyncIterable<string>): Promise<void> => {
  for await (const text of texts) if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Writes to a file that has its own name only once it is whole. */
const writeFile = async (texts: AsyncIterable<string>, file: string): Promise<void> => {
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(texts), createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const write = (parameters: Query, { format, output }: Options): Promise<void> =>
  withDatabase(async ({ db }, config) => {
    const kinds = await loadKinds()
    const query = timelineQuery(undefined, createReadParameters(kinds, config)(parameters), '')
    await openCheckpoints({ db, config, kinds })
    await projectAll({ db, config, kinds })
    const details = { format, ...parameters }
    if (!config.readOnly)
      await recordAct(db, { actor: administrator(), action: 'TIMELINE_EXPORTED', details })
    const request = { query, owner: undefined, showsClient: true }
    const texts = exportTimeline({ db, config }, kinds, FORMATS[format], request)
    await (output === undefined ? printAll(texts) : writeFile(texts, output))
  })

/** Option of a parameter: `--min-amount` for `minAmount`. */
const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Throws a refusal again with the name of the option in place of the parameter that its message begins with. */
const asOption = (error: unknown): never => {
  const field = error instanceof ServiceError && PARAMETERS.find(name => name === error.extensions['field'])
  throw field ? new SetupError(error.message.replace(field, flagOf(field))) : error
}

const run = async (options: Options): Promise<void> => {
  const given = PARAMETERS.filter(name => options[name] !== undefined)
  await write(Object.fromEntries(given.map(name => [name, options[name]])), options).catch(asOption)
}

/** Adds the group `export` to the program. */
export function addExportCommands(program: Command): void {
  const timeline = program
    .command('export')
    .description('what an analyst takes along')
    .command('timeline')
    .description('the timeline over all services, as a file')
    .addHelpText('after', EXPORT_DETAILS)
    .addOption(new Option('--format <format>', 'of the file').choices(Object.keys(FORMATS)).default('csv'))
    .option('--output <file>', 'where to, instead of standard output')
  for (const name of PARAMETERS) timeline.option(`${flagOf(name)} <value>`, `as the parameter ${name}`)
  timeline.action(run)
}

const REBUILD_DETAILS = `
Nothing is lost by it: the timeline holds nothing that the services' tables do not say. It is needed after a change of
OPERATOR_TIMEZONE, whose days the sums are kept by. Servers on PostgreSQL may run meanwhile; they show what is there already.`

const rebuildCommand = async ({ json }: { json?: boolean }) => {
  const kinds = await loadKinds()
  const entries = await withDatabase(({ db }, config) => rebuild({ db, config, kinds, by: administrator() }))
  printResult(json, { entries }, () => `rebuilt the timeline: ${entries} entries`)
}

/** Adds the group `activity` to the program. */
export function addActivityCommands(program: Command): void {
  program
    .command('activity')
    .description('the timeline over all services, and its sums')
    .command('rebuild')
    .description("make them again from the services' tables")
    .addHelpText('after', REBUILD_DETAILS)
    .option('--json', 'print one line of JSON')
    .action(rebuildCommand)
}
