/**
 * Secrets that sign a client's webhooks: stored encrypted, the newest first. Earlier ones also sign until their end, so
 * that an endpoint has time to change over.
 */
import { randomBytes } from 'node:crypto'
import { type Act, type Actor, recordAct, SERVER } from '../audit/acts.ts'
import type { Db } from '../data/db.ts'
import { invalidField, notFound } from '../errors/catalogue.ts'
import type { Cipher } from './cipher.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { canRead } from './key-check.ts'

/** Default time for which earlier secrets also sign. */
export const DEFAULT_OVERLAP_HOURS = 24
/** Longest such time: 30 days. */
export const MAX_OVERLAP_HOURS = 720
/** Most secrets that sign at the same time, so that a webhook's header stays short. */
const MAX_SECRETS = 5

/** A new secret, shown only once. */
export interface RotatedSecret {
  readonly secret: string
  /** End of the last earlier secret; undefined where the new one signs alone. */
  readonly previousEndsAt?: Date
}

export interface WebhookSecrets {
  /**
   * The secrets that sign, the newest first. A rotation by another process is seen two seconds late.
   * @param now milliseconds since 1970.
   */
  of(clientId: string, now: number): Promise<string[]>
  /**
   * Adds a new secret. Earlier ones also sign for `overlapHours`, not beyond the end that they have already; with 0 they
   * end at once. Secrets that this key cannot read end in any case.
   * @throws ServiceError INVALID_ARGUMENT for more than `MAX_SECRETS`; NOT_FOUND for an unknown client.
   */
  rotate(clientId: string, overlapHours: number, by?: Actor): Promise<RotatedSecret>
  /** Ends all but the newest. @throws ServiceError NOT_FOUND for an unknown client. */
  finishRotation(clientId: string, by?: Actor): Promise<void>
}

interface StoredSecret {
  /** Encrypted secret. */
  readonly text: string
  /** Absent for one without an end. */
  readonly endsAt?: Date
}

type SecretColumns = Pick<ClientRecord, 'webhookSecrets' | 'webhookSecretEnds'>

/** Reads the secrets of a row. The newest has no end; the ends are those of the others. */
const fromColumns = ({ webhookSecrets, webhookSecretEnds }: SecretColumns): StoredSecret[] =>
  webhookSecrets.map((text, index) => ({ text, endsAt: webhookSecretEnds[index - 1] }))

const isSigning =
  (now: number) =>
  ({ endsAt }: StoredSecret): boolean =>
    endsAt === undefined || endsAt.getTime() > now

/** Gives the earlier secrets an end when a new one is added. */
const endingWithin = (
  kept: readonly StoredSecret[],
  overlapMs: number,
  now: number,
): Required<StoredSecret>[] => {
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

const checkCount = (previous: readonly StoredSecret[]) => {
  if (previous.length < MAX_SECRETS) return
  throw invalidField(
    'overlapHours',
    'TOO_GREAT',
    `must be 0 while ${MAX_SECRETS} secrets sign: it ends those before the new one`,
  )
}

/** Makes the function that changes a client's secrets under a lock of its row. */
const createChange =
  (db: Db, clients: Pick<Clients, 'forget'>) =>
  async (
    id: string,
    { actor, details }: Pick<Act, 'actor' | 'details'>,
    next: (kept: StoredSecret[]) => { secrets: string[]; ends: Date[] },
  ) => {
    await db.$transaction(async tx => {
      await tx.$executeRaw`SELECT FROM access.client WHERE id = ${id} FOR UPDATE`
      const row = await tx.client.findUnique({ where: { id } })
      if (!row) throw notFound(`Client ${id}`)
      const { secrets: webhookSecrets, ends: webhookSecretEnds } = next(fromColumns(row))
      await tx.client.update({ where: { id }, data: { webhookSecrets, webhookSecretEnds } })
      await recordAct(tx, { actor, action: 'WEBHOOK_SECRET_ROTATED', target: id, details })
    })
    clients.forget(id)
  }

/** Makes the webhook secrets of this database. @param now milliseconds since 1970. */
export function createWebhookSecrets(
  db: Db,
  cipher: Cipher,
  clients: Pick<Clients, 'find' | 'forget'>,
  now: () => number = Date.now,
): WebhookSecrets {
  const change = createChange(db, clients)
  return {
    async of(clientId, at) {
      const client = await clients.find(clientId)
      if (!client) return []
      return fromColumns(client)
        .filter(isSigning(at))
        .map(({ text }) => cipher.decrypt(text))
    },
    async rotate(clientId, overlapHours, actor = SERVER) {
      checkOverlap(overlapHours)
      const secret = newWebhookSecret()
      let previous: Required<StoredSecret>[] = []
      await change(clientId, { actor, details: { overlapHours } }, kept => {
        const readable = kept.filter(({ text }) => canRead(cipher, text))
        previous = endingWithin(readable, overlapHours * HOUR_MS, now())
        checkCount(previous)
        const secrets = [cipher.encrypt(secret), ...previous.map(({ text }) => text)]
        return { secrets, ends: previous.map(({ endsAt }) => endsAt) }
      })
      return { secret, previousEndsAt: previous[0]?.endsAt }
    },
    finishRotation: (clientId, actor = SERVER) =>
      change(clientId, { actor, details: { finished: true } }, ([newest]) => ({
        secrets: newest ? [newest.text] : [],
        ends: [],
      })),
  }
}

export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** Size of a secret; the specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32

/** Makes a signing secret in the form that the specification's libraries accept. */
export const newWebhookSecret = (): string =>
  WEBHOOK_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
