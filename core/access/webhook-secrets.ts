/**
 * The secrets that sign a client's webhooks: kept encrypted, the newest first. Those before the newest sign along until
 * their end, so that a receiver has the time to change over.
 */
import { randomBytes } from 'node:crypto'
import type { PrismaClient } from '../data/db.ts'
import { invalidField, notFound } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { canRead } from './key-check.ts'

/** How long those before sign along, unless it is said. */
export const DEFAULT_OVERLAP_HOURS = 24
/** The longest that they do: 30 days. */
export const MAX_OVERLAP_HOURS = 720
/** So many sign at a time at the most: a webhook's header stays short. */
export const MAX_SECRETS = 5

/** A new secret, shown this once. */
export interface RotatedSecret {
  readonly secret: string
  /** When the last of those before ends; undefined where the new one signs alone. */
  readonly previousEndsAt?: Date
}

export interface WebhookSecrets {
  /**
   * Those that sign, the newest first; none for a client without. Of another process's rotation two seconds late.
   * @param now milliseconds since 1970.
   */
  of(clientId: string, now: number): Promise<string[]>
  /**
   * Gives a new one. Those before sign along for so many hours, not beyond the end that they have already; with 0 they
   * end, as those do that this key cannot read. More than `MAX_SECRETS`: INVALID_ARGUMENT. Unknown: NOT_FOUND.
   */
  rotate(clientId: string, overlapHours: number): Promise<RotatedSecret>
  /** Ends those before the newest. Unknown: NOT_FOUND. */
  finishRotation(clientId: string): Promise<void>
}

/** A secret as it is kept. */
interface KeptSecret {
  /** Encrypted. */
  readonly text: string
  /** Never unless it is set. */
  readonly endsAt?: Date
}

type SecretColumns = Pick<ClientRecord, 'webhookSecrets' | 'webhookSecretEnds'>

/** The newest has no end; the ends are those of the others. */
const fromColumns = ({ webhookSecrets, webhookSecretEnds }: SecretColumns): KeptSecret[] =>
  webhookSecrets.map((text, index) => ({ text, endsAt: webhookSecretEnds[index - 1] }))

const isSigning =
  (now: number) =>
  ({ endsAt }: KeptSecret): boolean =>
    endsAt === undefined || endsAt.getTime() > now

/** Those before a new one, each with its end. */
const endingWithin = (
  kept: readonly KeptSecret[],
  overlapMs: number,
  now: number,
): Required<KeptSecret>[] => {
  const latest = now + overlapMs
  return kept
    .map(({ text, endsAt }) => ({ text, endsAt: new Date(Math.min(endsAt?.getTime() ?? latest, latest)) }))
    .filter(isSigning(now))
}

const HOUR_MS = 3_600_000

const checkOverlap = (hours: number) => {
  if (Number.isInteger(hours) && hours >= 0 && hours <= MAX_OVERLAP_HOURS) return
  throw invalidField('overlapHours', 'TOO_GREAT', `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
}

const checkCount = (previous: readonly KeptSecret[]) => {
  if (previous.length < MAX_SECRETS) return
  throw invalidField(
    'overlapHours',
    'TOO_GREAT',
    `must be 0 while ${MAX_SECRETS} secrets sign: it ends those before the new one`,
  )
}

/** Makes the function that changes a client's secrets while nobody else does. */
const createChange =
  (prisma: PrismaClient, clients: Pick<Clients, 'forget'>) =>
  async (id: string, next: (kept: KeptSecret[]) => { secrets: string[]; ends: Date[] }) => {
    await prisma.$transaction(async tx => {
      await tx.$executeRaw`SELECT FROM access.client WHERE id = ${id} FOR UPDATE`
      const row = await tx.client.findUnique({ where: { id } })
      if (!row) throw notFound(`Client ${id}`)
      const { secrets: webhookSecrets, ends: webhookSecretEnds } = next(fromColumns(row))
      await tx.client.update({ where: { id }, data: { webhookSecrets, webhookSecretEnds } })
    })
    clients.forget(id)
  }

/** The webhook secrets in this database. @param now milliseconds since 1970. */
export function createWebhookSecrets(
  prisma: PrismaClient,
  cipher: Cipher,
  clients: Pick<Clients, 'find' | 'forget'>,
  now: () => number = Date.now,
): WebhookSecrets {
  const change = createChange(prisma, clients)
  return {
    async of(clientId, at) {
      const client = await clients.find(clientId)
      if (!client) return []
      return fromColumns(client)
        .filter(isSigning(at))
        .map(({ text }) => cipher.decrypt(text))
    },
    async rotate(clientId, overlapHours) {
      checkOverlap(overlapHours)
      const secret = newWebhookSecret()
      let previous: Required<KeptSecret>[] = []
      await change(clientId, kept => {
        const readable = kept.filter(({ text }) => canRead(cipher, text))
        previous = endingWithin(readable, overlapHours * HOUR_MS, now())
        checkCount(previous)
        const secrets = [cipher.encrypt(secret), ...previous.map(({ text }) => text)]
        return { secrets, ends: previous.map(({ endsAt }) => endsAt) }
      })
      return { secret, previousEndsAt: previous[0]?.endsAt }
    },
    finishRotation: clientId =>
      change(clientId, ([newest]) => ({ secrets: newest ? [newest.text] : [], ends: [] })),
  }
}

export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** A new signing secret, in the form that the specification's libraries take. */
export const newWebhookSecret = (): string =>
  WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
