/** `clients show|update|disable|enable|remove`: one client's record. */
import type { Command } from 'commander'
import {
  addClientOptions,
  asOptions,
  type ClientOptions,
  changesIn,
  JSON_FLAG,
  type JsonOption,
} from './client-options.ts'
import { describeClient } from './client-table.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'
import { removeClient } from './remove-client.ts'
import { withClients } from './with-clients.ts'

const show = async (id: string, { json }: JsonOption) => {
  const client = await withClients(clients => clients.show(id))
  printResult(json, client, () => describeClient(client))
}

const update = async (id: string, options: ClientOptions) => {
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
  await withDatabase(({ prisma }) => removeClient(prisma, id))
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
  command('remove <id>', 'remove one without transactions and webhooks').action(remove)
}
