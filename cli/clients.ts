/** `clients add|list|quotas`, and what else is done with those who may use the interfaces. */
import type { Command } from 'commander'
import type { NewClient } from '#core/access/client-input.ts'
import { ROLES, type Role } from '#core/access/principal.ts'
import type { QuotaTexts } from '#core/access/quotas.ts'
import {
  addClientOptions,
  asOptions,
  type ClientOptions,
  fieldsIn,
  JSON_FLAG,
  type JsonOption,
} from './client-options.ts'
import { addQuotaOptions, quotasIn, quotasText } from './client-quotas.ts'
import { addRecordCommands } from './client-records.ts'
import { addSecretCommands, handOver } from './client-secrets.ts'
import { describeClients } from './client-table.ts'
import { printResult } from './output.ts'
import { withClients } from './with-clients.ts'

interface AddOptions extends ClientOptions {
  id: string
  role: Role
  webhookSecret?: boolean
}

const newClient = (options: AddOptions): NewClient => ({
  ...fieldsIn(options),
  id: options.id,
  role: options.role,
})

const add = async (options: AddOptions) => {
  const handedOver = await withClients(async (clients, webhookSecrets) => {
    if (!options.webhookSecret) return clients.add(newClient(options)).catch(asOptions)
    const secrets = await webhookSecrets()
    const credentials = await clients.add(newClient(options)).catch(asOptions)
    const { secret: webhookSecret } = await secrets.rotate(options.id, 0)
    return { ...credentials, webhookSecret }
  })
  handOver(options.json, 'added', handedOver)
}

const list = async ({ json }: JsonOption) => {
  const clients = await withClients(clients => clients.list())
  printResult(json, clients, () => describeClients(clients))
}

const setQuotas = async (id: string, options: QuotaTexts & JsonOption) => {
  const quotas = await withClients(clients => clients.setQuotas(id, quotasIn(options)).catch(asOptions))
  printResult(options.json, { id, quotas }, () => `${id}: ${quotasText(quotas)}`)
}

const addAddCommand = (clients: Command) =>
  addClientOptions(clients.command('add'))
    .description('add a client and print its secret, once')
    .requiredOption('--id <id>', 'its client_id')
    .requiredOption('--role <role>', `what it may do: ${ROLES.join(', ')}`)
    .option('--webhook-secret', 'sign its webhooks; prints the signing secret, once')
    .option(...JSON_FLAG)
    .addHelpText('after', '\nUnless given, the name is the id, and the currency OMR; nothing is limited.')
    .action(add)

/** Adds the group to the program. */
export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('who may use the interfaces')
  addAddCommand(clients)
  clients
    .command('list')
    .description('all clients')
    .option(...JSON_FLAG)
    .action(list)
  addRecordCommands(clients)
  addQuotaOptions(clients.command('quotas <id>'))
    .description('show what it may use of a process, and change what is given')
    .option(...JSON_FLAG)
    .action(setQuotas)
  addSecretCommands(clients)
}
