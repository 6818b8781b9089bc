/** `webhooks list|redeliver`: events on their way to receivers, and those that were given up. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { administrator, recordAct } from '#core/audit/acts.ts'
import { type DeliveryRow, type DeliveryStatus, listDeliveries } from '#core/webhooks/deliveries.ts'
import { redeliver } from '#core/webhooks/redeliver.ts'
import { withDatabase } from './open.ts'
import { printResult, table } from './output.ts'

interface ListOptions {
  status?: Lowercase<DeliveryStatus>
  client?: string
  limit: number
  json?: boolean
}

const HEADINGS = ['ID', 'STATUS', 'ATTEMPTS', 'CLIENT', 'KIND', 'TRANSACTION', 'NEXT ATTEMPT', 'LAST', 'URL']

const lastOf = ({ lastStatus, lastError }: DeliveryRow) =>
  [lastStatus, lastError?.replaceAll(/\s+/g, ' ').slice(0, 60)].filter(Boolean).join(' ') || '-'

const row = (one: DeliveryRow) => [
  one.id,
  one.status,
  String(one.attempts),
  one.clientId,
  one.kind,
  one.transactionId,
  one.nextAttemptAt?.toISOString() ?? '-',
  lastOf(one),
  one.url,
]

const readLimit = (text: string): number => {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 200) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 0 to 200.')
}

/** Delivery as JSON, without the internal number of its event, which JSON has no form for. */
const toJson = ({ position: _, ...shown }: DeliveryRow) => shown

const list = async ({ status, client, limit, json }: ListOptions) => {
  const filter = { status: status?.toUpperCase() as DeliveryStatus | undefined, clientId: client }
  const { nodes, total } = await withDatabase(async ({ db }) => {
    const connection = await listDeliveries(db, { first: limit, filter })
    return { nodes: connection.nodes, total: await connection.totalCount() }
  })
  printResult(json, nodes.map(toJson), () =>
    [table(HEADINGS, nodes.map(row)), `${nodes.length} of ${total}, newest first`].join('\n'),
  )
}

const redeliverCommand = async (id: string, { json }: { json?: boolean }) => {
  const delivery = await withDatabase(({ db }) =>
    db.$transaction(async tx => {
      const redelivered = await redeliver(tx, id)
      await recordAct(tx, { actor: administrator(), action: 'WEBHOOKS_REDELIVERED', target: redelivered.id })
      return redelivered
    }),
  )
  printResult(
    json,
    toJson(delivery),
    () => `${delivery.id} is due; the server sends it within a second of running`,
  )
}

/** Adds the group to the program. */
export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('events on their way to receivers')
  webhooks
    .command('list')
    .description('deliveries, newest first')
    .addOption(new Option('--status <status>', 'only those').choices(['pending', 'delivered', 'dead']))
    .option('--client <id>', "only this client's")
    .option('--limit <n>', 'how many, at most 200', readLimit, 50)
    .option('--json', 'print one line of JSON')
    .action(list)
  webhooks
    .command('redeliver <id>')
    .description('send one again, with eight new attempts')
    .option('--json', 'print one line of JSON')
    .action(redeliverCommand)
}
