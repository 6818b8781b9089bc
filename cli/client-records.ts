/** `clients show|update|disable|enable|remove`: one client's record. A client that has left nothing behind is removed. */
import type { Command } from 'commander'
import { administrator, recordAct } from '#core/audit/acts.ts'
import { type Db, Prisma, type Transaction } from '#core/data/db.ts'
import { ensureSequence, lockSequence } from '#core/data/gapless-sequence.ts'
import { notFound, SetupError } from '#core/errors/catalogue.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { addKeysCommand } from './client-keys.ts'
import {
  addClientOptions,
  asOptions,
  type ClientFlags,
  changesIn,
  describeClient,
  JSON_FLAG,
  type JsonOption,
} from './client-options.ts'
import { withClients, withDatabase } from './open.ts'
import { printResult } from './output.ts'

/** Tables and columns that name a client. */
const tablesOfClients = (kinds: readonly TransactionKind[]) => [
  ...kinds.map(({ schema, table }) => `"${schema}"."${table}"`),
  '"events"."event"',
  '"events"."delivery"',
]

/** Whether rows name a client: one table after the other, since Citus has them on several nodes. */
const isNamed = async (tx: Transaction, kinds: readonly TransactionKind[], id: string): Promise<boolean> => {
  for (const table of tablesOfClients(kinds)) {
    const [row] = await tx.$queryRaw<[{ named: boolean }]>`
      SELECT EXISTS (SELECT FROM ${Prisma.raw(table)} WHERE client_id = ${id}) AS named`
    if (row.named) return true
  }
  return false
}

/**
 * Locks the sequences of all kinds: posting a client's first transaction looks for the client under the same lock
 * (`transactions/post/refusals.ts`).
 */
const keepFromPosting = async (tx: Transaction, kinds: readonly TransactionKind[]): Promise<void> => {
  for (const kind of kinds) {
    await ensureSequence(tx, kind)
    await lockSequence(tx, kind)
  }
}

/** Limits of the removal in milliseconds: behind a server that posts all the time it waits for some batches. */
const REMOVAL_LIMITS = { timeout: 60_000, plans: 'anew' } as const

/**
 * Removes the client. A transaction that it posts at the same time either
 * prevents the removal or is refused.
 * @throws SetupError when it has transactions, events or deliveries: they name it for as long as they are kept.
 * @throws ServiceError NOT_FOUND for an unknown client.
 */
export async function removeClient(db: Db, id: string): Promise<void> {
  const kinds = await loadKinds()
  await db.$transaction(async tx => {
    await keepFromPosting(tx, kinds)
    const [client] = await tx.$queryRaw<object[]>`SELECT id FROM access.client WHERE id = ${id} FOR UPDATE`
    if (!client) throw notFound(`Client ${id}`)
    if (await isNamed(tx, kinds, id))
      throw new SetupError(
        `${id} has transactions or webhooks, which name it; refuse it with: clients disable ${id}`,
      )
    await tx.client.delete({ where: { id } })
    await recordAct(tx, { actor: administrator(), action: 'CLIENT_REMOVED', target: id })
  }, REMOVAL_LIMITS)
}

const show = async (id: string, { json }: JsonOption) => {
  const client = await withClients(clients => clients.show(id))
  printResult(json, client, () => describeClient(client))
}

const update = async (id: string, options: ClientFlags) => {
  const client = await withClients(clients => clients.update(id, changesIn(options)).catch(asOptions))
  printResult(options.json, client, () => describeClient(client))
}

const disable = async (id: string, { json }: JsonOption) => {
  await withClients(clients => clients.disable(id))
  printResult(json, { id, disabled: true }, () => `disabled ${id}`)
}

const enable = async (id: string, { json }: JsonOption) => {
  await withClients(clients => clients.enable(id))
  printResult(json, { id, disabled: false }, () => `enabled ${id}`)
}

const remove = async (id: string, { json }: JsonOption) => {
  await withDatabase(({ db }) => removeClient(db, id))
  printResult(json, { id, removed: true }, () => `removed ${id}`)
}

const UPDATE_DETAILS = `
What is not given stays as it is. "none" takes a limit or the phone number away (--monthly-limit none). A changed phone
number binds tokens that are issued from then on.`

/** Adds the commands to the group. */
export function addRecordCommands(clients: Command): void {
  const command = (usage: string, description: string) =>
    clients
      .command(usage)
      .description(description)
      .option(...JSON_FLAG)
  command('show <id>', 'one client').action(show)
  addClientOptions(command('update <id>', 'change what is given'))
    .option('--no-dummy-cards', 'card numbers must be real ones')
    .addHelpText('after', UPDATE_DETAILS)
    .action(update)
  command('disable <id>', 'refuse it from now on').action(disable)
  command('enable <id>', 'let it in again, with the secret it has').action(enable)
  addKeysCommand(clients)
  command('remove <id>', 'remove one without transactions and webhooks').action(remove)
}
