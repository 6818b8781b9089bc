/** `clients rotate` and `clients rotate-webhook-secret`: new secrets, and for how long the ones before stay good. */
import type { Command } from 'commander'
import type { Credentials } from '#core/access/clients.ts'
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS, type RotatedSecret } from '#core/access/webhook-secrets.ts'
import { asOptions, JSON_FLAG, type JsonOption } from './client-options.ts'
import { readDuration } from './duration.ts'
import { printResult } from './output.ts'
import { withClients } from './with-clients.ts'

interface HandedOver extends Credentials {
  webhookSecret?: string
}

const overlapLines = ({ previousEndsAt }: Credentials) =>
  previousEndsAt ? [`The one before stays good until ${previousEndsAt.toISOString()}.`] : []

/** Prints what is shown once. */
export const handOver = (json: boolean | undefined, done: string, credentials: HandedOver): void =>
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
    (await webhookSecrets()).rotate(id, overlapHours).catch(asOptions),
  )
  const { secret: webhookSecret, previousEndsAt } = rotated
  printResult(options.json, { id, webhookSecret, previousEndsAt }, () =>
    [`new webhook secret for ${id}: ${webhookSecret}`, `It is shown this once. ${endOf(rotated)}`].join('\n'),
  )
}

/** Adds the commands to the group. */
export function addSecretCommands(clients: Command): void {
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
