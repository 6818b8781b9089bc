/** `schema uses`: what each client used of the graph's schema, in all or hour by hour. */
import { type Command, InvalidArgumentError } from 'commander'
import { readHourlyUses, readUses, type UseByClient, type UseByHour } from '#core/schema-use/read.ts'
import { isDateTime, parseIsoDate } from '#core/values/time.ts'
import { withDatabase } from './open.ts'
import { printResult, table } from './output.ts'

const DETAILS = `
A use is an operation that was let in and has the coordinate in its text or in its variables: Type.field, Type.field(argument:),
Input.field, Enum.VALUE. Uses are written some seconds after the operation, and kept for SCHEMA_USE_DAYS.`

interface Options {
  readonly client?: string
  readonly coordinate?: string
  readonly since?: Date
  readonly byHour?: boolean
  readonly json?: boolean
}

const readSince = (text: string): Date => {
  if (isDateTime(text) || parseIsoDate(text) !== undefined) return new Date(text)
  throw new InvalidArgumentError(
    'It must be a date (2026-11-24, of UTC) or a time with an offset (2026-11-24T08:00:00Z).',
  )
}

const HEADINGS = ['COORDINATE', 'CLIENT', 'USES', 'LAST']

const row = ({ coordinate, clientId, count, lastAt }: UseByClient): string[] => [
  coordinate,
  clientId,
  String(count),
  lastAt.toISOString(),
]

const hourlyRow = (use: UseByHour): string[] => [use.hour.toISOString(), ...row(use)]

const list = async ({ client, coordinate, since, byHour, json }: Options): Promise<void> => {
  const filter = {
    ...(client !== undefined && { client }),
    ...(coordinate !== undefined && { coordinates: [coordinate] }),
    ...(since && { from: since }),
  }
  await withDatabase(async ({ db }) => {
    if (byHour) {
      const uses = await readHourlyUses(db, filter)
      printResult(json, uses, () => table(['HOUR', ...HEADINGS], uses.map(hourlyRow)))
    } else {
      const uses = await readUses(db, filter)
      printResult(json, uses, () => table(HEADINGS, uses.map(row)))
    }
  })
}

/** Adds the command to the program. */
export function addSchemaCommands(program: Command): void {
  program
    .command('schema')
    .description('the schema of the graph')
    .command('uses')
    .description('what each client used of it, how often and when last')
    .addHelpText('after', DETAILS)
    .option('--client <id>', 'of this client alone')
    .option('--coordinate <coordinate>', 'of this part alone: Customer.totalDues')
    .option('--since <time>', 'from this time on; its hour counts whole', readSince)
    .option('--by-hour', 'hour by hour')
    .option('--json', 'print one line of JSON')
    .action(list)
}
