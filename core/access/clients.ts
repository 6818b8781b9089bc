/** Clients of the interfaces: added, found, changed, given a new secret, disabled. */
import { LRUCache } from 'lru-cache'
import type { Client } from '#prisma/generated/client.ts'
import { withDeadline } from '../async/deadline.ts'
import { fromDatabase } from '../data/database-errors.ts'
import { Prisma, type PrismaClient, type Reader } from '../data/db.ts'
import { invalidField, notFound, ServiceError, unavailable } from '../errors/catalogue.ts'
import {
  type ClientChanges,
  checkChanges,
  checkNewClient,
  isClientId,
  type NewClient,
} from './client-input.ts'
import type { Role } from './principal.ts'
import { checkQuotas, type Quotas, type QuotaTexts, quotasOf } from './quotas.ts'
import { hashSecret, newSecret } from './secrets.ts'

export type ClientRecord = Client

/** Result for the administrator; the secret is shown only once. */
export interface Credentials {
  id: string
  role: Role
  secret: string
  /** End of the previous secret; absent where it ended at once. */
  previousEndsAt?: Date
}

const SECRET_COLUMNS = {
  secretHash: true,
  previousSecretHash: true,
  previousSecretEnds: true,
  webhookSecrets: true,
  webhookSecretEnds: true,
} as const

/** A client without its secrets. */
export type PublicClient = Omit<ClientRecord, keyof typeof SECRET_COLUMNS>

/** Finds clients for requests. */
interface ClientCache {
  /**
   * Finds the record as it was within the last two seconds; undefined when there is none.
   * @throws ServiceError SERVICE_UNAVAILABLE without a database; REQUEST_TIMEOUT_EXCEEDED.
   */
  find(id: string): Promise<ClientRecord | undefined>
  /** Makes a change of the record by this process visible to it at once. */
  forget(id: string): void
}

/** All that change a client take effect within two seconds, and throw ServiceError NOT_FOUND for an unknown one. */
export interface Clients extends ClientCache {
  /** Adds a client. @throws ServiceError INVALID_ARGUMENT for wrong values, or an id that exists. */
  add(client: NewClient): Promise<Credentials>
  /** Lists all clients by id. */
  list(): Promise<PublicClient[]>
  /** Reads one client as it is now. */
  show(id: string): Promise<PublicClient>
  /** Changes the fields that are present; a phone number counts from the next token. @throws ServiceError INVALID_ARGUMENT. */
  update(id: string, changes: ClientChanges): Promise<PublicClient>
  /** Sets the quotas that are present, and leaves the others. */
  setQuotas(id: string, quotas: QuotaTexts): Promise<Quotas>
  /**
   * Gives a new secret; tokens of the old one stay valid until they expire.
   * @param overlapMs time for which the previous secret stays valid; one before that ends.
   */
  rotate(id: string, overlapMs?: number): Promise<Credentials>
  /** Refuses its secret and its tokens. */
  disable(id: string): Promise<void>
  /** Admits it again, with the secret it has. */
  enable(id: string): Promise<void>
}

interface ClientsOptions {
  /** Country code of national phone numbers (`OPERATOR_COUNTRY_CODE`). */
  countryCode: string
  /** Reads the client of a request; the Prisma client by default. */
  reader?: Reader
  now?: () => number
  /**
   * Limit of the time of reading one (`REQUEST_TIMEOUT_MS`). It has its own, since the limit of a request begins only
   * after authentication (docs/decisions.md, "Failures").
   */
  timeoutMs?: number
}

/** Short, so that disabling a client takes effect at once. */
const FRESH_MS = 2_000
/** Ids have at most 128 characters, and records some KiB: far below 100 MB. */
const MAX_KEPT = 10_000

/** The columns as Prisma reads them, for which null is an empty array. */
const COLUMNS = Prisma.raw(`
  id, name, role, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
  previous_secret_ends AS "previousSecretEnds", phone_number AS "phoneNumber", coalesce(currencies, '{}') AS currencies,
  max_amount AS "maxAmount", monthly_amount AS "monthlyAmount", max_points AS "maxPoints",
  monthly_points AS "monthlyPoints", dummy_cards AS "dummyCards", created_at AS "createdAt",
  disabled_at AS "disabledAt", coalesce(webhook_secrets, '{}') AS "webhookSecrets",
  coalesce(webhook_secret_ends, '{}') AS "webhookSecretEnds", quotas`)

const toFailure = (error: unknown) =>
  error instanceof ServiceError
    ? error
    : (fromDatabase(error) ?? unavailable('The clients cannot be read at the moment', { cause: error }))

/** Caches readings for a moment, since every request needs one; simultaneous requests share a reading. */
export const createClientCache = ({
  reader,
  now,
  timeoutMs,
}: Required<Pick<ClientsOptions, 'reader' | 'now' | 'timeoutMs'>>): ClientCache => {
  const readings = new LRUCache<string, { at: number; record: ReturnType<ClientCache['find']> }>({
    max: MAX_KEPT,
  })
  const read = async (id: string) => {
    try {
      const [client] = await withDeadline(
        timeoutMs,
        () => reader.$queryRaw<Client[]>`SELECT ${COLUMNS} FROM access.client WHERE id = ${id}`,
      )
      return client
    } catch (error) {
      throw toFailure(error)
    }
  }
  const start = (id: string) => {
    const record = read(id)
    readings.set(id, { at: now(), record })
    record.catch(() => readings.delete(id))
    return record
  }
  return {
    find(id) {
      const reading = readings.get(id)
      if (reading && now() - reading.at < FRESH_MS) return reading.record
      return isClientId(id) ? start(id) : Promise.resolve(undefined)
    },
    forget: id => void readings.delete(id),
  }
}

/** Translates a code of Prisma's errors. */
const onCode = (code: string, toRefusal: () => ServiceError) => (error: unknown) => {
  throw error instanceof Prisma.PrismaClientKnownRequestError && error.code === code ? toRefusal() : error
}

const unknownClient = (id: string) => notFound(`Client ${id}`)

/** Makes the clients of this database. */
export function createClients(
  prisma: PrismaClient,
  { countryCode, reader = prisma, now = Date.now, timeoutMs = 10_000 }: ClientsOptions,
): Clients {
  const { find, forget } = createClientCache({ reader, now, timeoutMs })
  const setDisabled = async (id: string, disabledAt: Date | null) => {
    await prisma.client
      .update({ where: { id }, data: { disabledAt } })
      .catch(onCode('P2025', () => unknownClient(id)))
    forget(id)
  }
  return {
    find,
    forget,
    list: () => prisma.client.findMany({ omit: SECRET_COLUMNS, orderBy: { id: 'asc' } }),
    async show(id) {
      const client = await prisma.client.findUnique({ where: { id }, omit: SECRET_COLUMNS })
      if (!client) throw unknownClient(id)
      return client
    },
    async add(client) {
      const { id, role, secret = newSecret() } = client
      const checked = checkNewClient(client, countryCode)
      const data = { ...checked, secretHash: await hashSecret(secret) }
      const taken = () => invalidField('id', 'CONTRADICTION', `must be new: there is a client ${id} already`)
      await prisma.client.create({ data }).catch(onCode('P2002', taken))
      forget(id)
      return { id, role, secret }
    },
    async update(id, changes) {
      const changed = await prisma.$transaction(async tx => {
        await tx.$executeRaw`SELECT FROM access.client WHERE id = ${id} FOR UPDATE`
        const client = await tx.client.findUnique({ where: { id } })
        if (!client) throw unknownClient(id)
        const data = checkChanges(changes, client, countryCode)
        return tx.client.update({ where: { id }, data, omit: SECRET_COLUMNS })
      })
      forget(id)
      return changed
    },
    async setQuotas(id, texts) {
      const quotas = JSON.stringify(checkQuotas(texts))
      const [row] = await prisma.$queryRaw<{ quotas: unknown }[]>`
        UPDATE access.client SET quotas = quotas || ${quotas}::jsonb WHERE id = ${id} RETURNING quotas`
      if (!row) throw unknownClient(id)
      forget(id)
      return quotasOf(row.quotas)
    },
    async rotate(id, overlapMs = 0) {
      const secret = newSecret()
      const secretHash = await hashSecret(secret)
      const previousEndsAt = overlapMs > 0 ? new Date(now() + overlapMs) : undefined
      const [row] = await prisma.$queryRaw<{ role: Role }[]>`
        UPDATE access.client SET secret_hash = ${secretHash},
          previous_secret_hash = CASE WHEN ${overlapMs > 0} THEN secret_hash END,
          previous_secret_ends = ${previousEndsAt ?? null}::timestamptz
        WHERE id = ${id} RETURNING role`
      if (!row) throw unknownClient(id)
      forget(id)
      return { id, role: row.role, secret, previousEndsAt }
    },
    disable: id => setDisabled(id, new Date(now())),
    enable: id => setDisabled(id, null),
  }
}
