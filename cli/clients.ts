/** `clients add|list|quotas`, and `clients rotate` and `rotate-webhook-secret`: clients and their secrets. */
import { type Command, InvalidArgumentError } from 'commander'
import type { NewClient } from '#core/access/client-input.ts'
import type { Credentials } from '#core/access/clients.ts'
import { type QuotaTexts, ROLES, type Role } from '#core/access/principal.ts'
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS, type RotatedSecret } from '#core/access/webhook-secrets.ts'
import { administrator } from '#core/audit/acts.ts'
import {
  addClientOptions,
  addQuotaOptions,
  asOptions,
  type ClientFlags,
  describeClients,
  fieldsIn,
  JSON_FLAG,
  type JsonOption,
  quotasIn,
  quotasText,
} from './client-options.ts'
import { addRecordCommands } from './client-records.ts'
import { withClients } from './open.ts'
import { printResult } from './output.ts'

const MINUTE_MS = 60_000
const UNIT_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS }
/** Longest overlap: 30 days. */
const MAX_MS = 30 * 24 * 60 * MINUTE_MS

/**
 * Reads a duration as options take it (`30m`, `24h`, `7d`).
 * @returns milliseconds.
 * @throws InvalidArgumentError for another text, or a duration that is not from a minute to 30 days.
 */
function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
  if (ms >= MINUTE_MS && ms <= MAX_MS) return ms
  throw new InvalidArgumentError('It must be from 1m to 30d, such as 30m, 24h or 7d.')
}

interface HandedOver extends Credentials {
  webhookSecret?: string
}

const overlapLines = ({ previousEndsAt }: Credentials) =>
  previousEndsAt ? [`The one before stays good until ${previousEndsAt.toISOString()}.`] : []

/** Prints credentials, which are shown this once. */
const handOver = (json: boolean | undefined, done: string, credentials: HandedOver): void =>
  printResult(json, credentials, () =>
    [
      `${done} ${credentials.id} (${credentials.role})`,
      `secret: ${credentials.secret}`,
      ...(credentials.webhookSecret ? [`webhook secret: ${credentials.webhookSecret}`] : []),
      'It is shown this once.',
      ...overlapLines(credentials),
    ].join('\n'),
  )

interface RotateOptions extends JsonOption {
  /** In milliseconds. */
  overlap?: number
}

const rotate = async (id: string, { json, overlap }: RotateOptions) =>
  handOver(json, 'new secret for', await withClients(clients => clients.rotate(id, overlap)))

interface RotateWebhookOptions extends JsonOption {
  overlapHours: number
  finish?: boolean
}

const finishRotation = async (id: string, { json }: JsonOption) => {
  await withClients(async (_, webhookSecrets) => (await webhookSecrets()).finishRotation(id, administrator()))
  printResult(json, { id, finished: true }, () => `webhooks of ${id} are signed with its newest secret alone`)
}

const endOf = ({ previousEndsAt }: RotatedSecret) =>
  previousEndsAt
    ? `The one before signs along until ${previousEndsAt.toISOString()}, or until you repeat this with --finish.`
    : 'It signs alone.'

const rotateWebhookSecret = async (id: string, { overlapHours, ...options }: RotateWebhookOptions) => {
  if (options.finish) return finishRotation(id, options)
  const rotated = await withClients(async (_, webhookSecrets) =>
    (await webhookSecrets()).rotate(id, overlapHours, administrator()).catch(asOptions),
  )
  const { secret: webhookSecret, previousEndsAt } = rotated
  printResult(options.json, { id, webhookSecret, previousEndsAt }, () =>
    [`new webhook secret for ${id}: ${webhookSecret}`, `It is shown this once. ${endOf(rotated)}`].join('\n'),
  )
}

function addSecretCommands(clients: Command): void {
  clients
    .command('rotate <id>')
    .description('give a new secret; the one before ends, at once or after --overlap')
    .option('--overlap <duration>', 'for how long it stays good, from 1m to 30d', readDuration)
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
}

interface AddOptions extends ClientFlags {
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
    const { secret: webhookSecret } = await secrets.rotate(options.id, 0, administrator())
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
