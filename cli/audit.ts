/** `audit list`: who did what, the newest first. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ACTIONS, type Action, type ActRow, listActs } from '#core/audit/acts.ts'
import { CalendarDay, isDateTime, parseIsoDate } from '#core/values/time.ts'
import { withDatabase } from './open.ts'
import { printResult, table } from './output.ts'

interface ListOptions {
  readonly actor?: string
  readonly action?: Action
  readonly target?: string
  readonly since?: string
  readonly limit: number
  readonly json?: boolean
}

const HEADINGS = ['AT', 'ACTOR', 'USER', 'ACTION', 'TARGET', 'DETAILS']

/** Characters that would move a terminal's cursor or hide text. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu

const plain = (text: string | null): string => text?.replace(CONTROL, '?') || '-'

const row = ({ at, actor, user, action, target, details }: ActRow) => [
  at.toISOString(),
  plain(actor),
  plain(user),
  action,
  plain(target),
  details === '{}' ? '-' : plain(details),
]

const MOST_LISTED = 200

const readLimit = (text: string): number => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_LISTED) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_LISTED}.`)
}

const readSince = (text: string): string => {
  if (isDateTime(text) || parseIsoDate(text) !== undefined) return text
  throw new InvalidArgumentError(
    'It must be a date (2026-11-24) or a time with an offset (2026-11-24T08:00:00Z).',
  )
}

const momentOf = (text: string, zone: string) =>
  isDateTime(text) ? new Date(text) : new CalendarDay(text, zone)

const toJson = ({ id: _, details, ...shown }: ActRow) => ({ ...shown, details: JSON.parse(details) })

const list = async ({ actor, action, target, since, limit, json }: ListOptions) => {
  const { nodes, total } = await withDatabase(async ({ db }, { timezone }) => {
    const filter = {
      actor,
      action,
      target,
      from: since === undefined ? undefined : momentOf(since, timezone),
    }
    const page = await listActs(db, { first: limit, filter })
    return { nodes: page.nodes, total: await page.totalCount() }
  })
  printResult(json, nodes.map(toJson), () =>
    [table(HEADINGS, nodes.map(row)), `${nodes.length} of ${total}, newest first`].join('\n'),
  )
}

/** Adds the group to the program. */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('who did what: administration, imports, interventions, exports, refused sign-ins')
    .command('list')
    .description('acts, newest first')
    .option('--actor <id>', 'only by this client, or by `cli:<user>`')
    .addOption(new Option('--action <action>', 'only of this kind').choices(ACTIONS))
    .option('--target <id>', 'only on this client, transaction, delivery or file')
    .option('--since <time>', 'only since this date or time', readSince)
    .option('--limit <n>', `how many, at most ${MOST_LISTED}`, readLimit, 50)
    .option('--json', 'print one line of JSON')
    .action(list)
}
