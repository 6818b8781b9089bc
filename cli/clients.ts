/** `clients add|list|rotate|disable`: who may use the interfaces, and within which limits. */
import { type Command, Option } from 'commander'
import { createCipher } from '../subgraphs/shared/access/cipher.ts'
import type { NewClient } from '../subgraphs/shared/access/client-input.ts'
import { type Clients, type Credentials, createClients } from '../subgraphs/shared/access/clients.ts'
import { loadEncryptionKey } from '../subgraphs/shared/access/encryption-key.ts'
import { claimEncryptionKey } from '../subgraphs/shared/access/key-check.ts'
import { ROLES, type Role } from '../subgraphs/shared/access/principal.ts'
import type { QuotaTexts } from '../subgraphs/shared/access/quota-input.ts'
import {
  createWebhookSecrets,
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  type RotatedSecret,
  type WebhookSecrets,
} from '../subgraphs/shared/access/webhook-secrets.ts'
import { ServiceError } from '../subgraphs/shared/errors/catalogue.ts'
import { SetupError } from '../subgraphs/shared/errors/setup-error.ts'
import { addQuotaOptions, quotasIn, quotasText, withoutQuotas } from './client-quotas.ts'
import { describeClients } from './client-table.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

interface AddOptions extends QuotaTexts {
  id: string
  role: Role
  name?: string
  phone?: string
  currencies?: string[]
  maxAmount?: string
  monthlyLimit?: string
  maxPoints?: string
  monthlyPoints?: string
  dummyCards?: boolean
  webhookSecret?: boolean
  json?: boolean
}

interface JsonOption {
  json?: boolean
}

/** The options that are called otherwise than the field they fill. */
const OPTION_OF_FIELD: Record<string, string> = { phoneNumber: '--phone', monthlyAmount: '--monthly-limit' }

const optionOf = (field: string) =>
  OPTION_OF_FIELD[field] ?? `--${field.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const newClient = ({ phone, monthlyLimit, webhookSecret: _, json: __, ...same }: AddOptions): NewClient => ({
  ...withoutQuotas(same),
  quotas: quotasIn(same),
  phoneNumber: phone,
  monthlyAmount: monthlyLimit,
})

/** The store names the field that is wrong; here it is known by its option. */
const asOption = (error: unknown): never => {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_ARGUMENT') throw error
  throw new SetupError(error.message.replace(/^\w+(, \w+)*/, fields => fields.replaceAll(/\w+/g, optionOf)))
}

const withClients = <T>(
  run: (clients: Clients, webhookSecrets: () => Promise<WebhookSecrets>) => Promise<T>,
) =>
  withDatabase(({ prisma }, config) => {
    const clients = createClients(prisma, { countryCode: config.countryCode })
    // The key is read, and on a new database made, only by those who need it.
    return run(clients, async () => {
      const cipher = createCipher(loadEncryptionKey(config))
      await claimEncryptionKey(prisma, cipher)
      return createWebhookSecrets(prisma, cipher, clients)
    })
  })

interface HandedOver extends Credentials {
  webhookSecret?: string
}

const handOver = (json: boolean | undefined, done: string, credentials: HandedOver) =>
  printResult(json, credentials, () =>
    [
      `${done} ${credentials.id} (${credentials.role})`,
      `secret: ${credentials.secret}`,
      ...(credentials.webhookSecret ? [`webhook secret: ${credentials.webhookSecret}`] : []),
      'It is shown this once.',
    ].join('\n'),
  )

const add = async (options: AddOptions) => {
  const handedOver = await withClients(async (clients, webhookSecrets) => {
    if (!options.webhookSecret) return clients.add(newClient(options)).catch(asOption)
    const secrets = await webhookSecrets()
    const credentials = await clients.add(newClient(options)).catch(asOption)
    const { secret: webhookSecret } = await secrets.rotate(options.id, 0)
    return { ...credentials, webhookSecret }
  })
  handOver(options.json, 'added', handedOver)
}

interface RotateWebhookOptions extends JsonOption {
  overlapHours: number
  finish?: boolean
}

const finishRotation = async (id: string, { json }: JsonOption) => {
  await withClients(async (_, webhookSecrets) => (await webhookSecrets()).finishRotation(id))
  printResult(json, { id, finished: true }, () => `webhooks of ${id} are signed with its newest secret alone`)
}

const endOf = ({ previousEndsAt }: RotatedSecret) =>
  previousEndsAt
    ? `The one before signs along until ${previousEndsAt.toISOString()}, or until you repeat this with --finish.`
    : 'It signs alone.'

const rotateWebhookSecret = async (id: string, { overlapHours, ...options }: RotateWebhookOptions) => {
  if (options.finish) return finishRotation(id, options)
  const rotated = await withClients(async (_, webhookSecrets) =>
    (await webhookSecrets()).rotate(id, overlapHours).catch(asOption),
  )
  const { secret: webhookSecret, previousEndsAt } = rotated
  printResult(options.json, { id, webhookSecret, previousEndsAt }, () =>
    [`new webhook secret for ${id}: ${webhookSecret}`, `It is shown this once. ${endOf(rotated)}`].join('\n'),
  )
}

const list = async ({ json }: JsonOption) => {
  const clients = await withClients(clients => clients.list())
  printResult(json, clients, () => describeClients(clients))
}

const rotate = async (id: string, { json }: JsonOption) =>
  handOver(json, 'new secret for', await withClients(clients => clients.rotate(id)))

const setQuotas = async (id: string, options: QuotaTexts & JsonOption) => {
  const quotas = await withClients(clients => clients.setQuotas(id, quotasIn(options)).catch(asOption))
  printResult(options.json, { id, quotas }, () => `${id}: ${quotasText(quotas)}`)
}

const disable = async (id: string, { json }: JsonOption) => {
  await withClients(clients => clients.disable(id))
  printResult(json, { id, disabled: true }, () => `disabled ${id}`)
}

const JSON_FLAG = ['--json', 'print one line of JSON'] as const

const addAddCommand = (clients: Command) =>
  addQuotaOptions(clients.command('add'))
    .description('add a client and print its secret, once')
    .requiredOption('--id <id>', 'its client_id')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--name <name>', 'what people call it (default: the id)')
    .option('--phone <number>', 'bind it to this phone number')
    .option('--currencies <codes>', 'what it may pay in, such as OMR,USD (default: OMR)', list =>
      list.split(',').map(code => code.trim()),
    )
    .option('--max-amount <n>', 'most per transaction')
    .option('--monthly-limit <n>', 'most per customer and calendar month')
    .option('--max-points <n>', 'most points per transaction')
    .option('--monthly-points <n>', 'most points per mobile number and calendar month')
    .option('--dummy-cards', 'card numbers need not be real ones')
    .option('--webhook-secret', 'sign its webhooks; prints the signing secret, once')
    .option(...JSON_FLAG)
    .action(add)

/** Adds the group to the program. */
export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('who may use the interfaces')
  addAddCommand(clients)
  addQuotaOptions(clients.command('quotas <id>'))
    .description('show what it may use of a process, and change what is given')
    .option(...JSON_FLAG)
    .action(setQuotas)
  clients
    .command('list')
    .description('all clients')
    .option(...JSON_FLAG)
    .action(list)
  clients
    .command('rotate <id>')
    .description('give a new secret')
    .option(...JSON_FLAG)
    .action(rotate)
  clients
    .command('rotate-webhook-secret <id>')
    .description('give a new secret for signing its webhooks; the one before signs along')
    .option(
      '--overlap-hours <n>',
      `for how long, from 0 to ${MAX_OVERLAP_HOURS}`,
      Number,
      DEFAULT_OVERLAP_HOURS,
    )
    .option('--finish', 'instead, end the one before')
    .option(...JSON_FLAG)
    .action(rotateWebhookSecret)
  clients
    .command('disable <id>')
    .description('refuse it from now on')
    .option(...JSON_FLAG)
    .action(disable)
}
