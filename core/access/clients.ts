/** Clients of the installation: their records, secrets and quotas in the database, and a cache for requests. */
import { LRUCache } from 'lru-cache'
import type { Client } from '#prisma/generated/client.ts'
import { withDeadline } from '../async/deadline.ts'
import { type Act, type Action, type Actor, recordAct, SERVER } from '../audit/acts.ts'
import { fromDatabase } from '../data/database-errors.ts'
import { type Db, Prisma, type Statements, type Transaction } from '../data/db.ts'
import { invalidField, notFound, ServiceError, unavailable } from '../errors/catalogue.ts'
import {
  type ClientChanges,
  checkChanges,
  checkNewClient,
  isClientId,
  type NewClient,
} from './client-input.ts'
import { checkQuotas, type Quotas, type QuotaTexts, quotasOf, type Role } from './principal.ts'
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
  /** The record as it was within the last two seconds, without waiting; undefined where it has to be read first. */
  known(id: string): ClientRecord | undefined
  /** Forgets a cached record, so that this process sees its own change at once. */
  forget(id: string): void
}

/**
 * Clients of a database. All functions that change a client take effect within two seconds, and throw ServiceError
 * NOT_FOUND for an unknown one.
 */
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
  /** Disables a client: its secret and its tokens are refused. */
  disable(id: string): Promise<void>
  /** Enables a client again, with the secret it has. */
  enable(id: string): Promise<void>
}

interface ClientsOptions {
  /** Country code of national phone numbers (`OPERATOR_COUNTRY_CODE`). */
  countryCode: string
  now?: () => number
  /** Agent of the changes; the server unless given. */
  by?: Actor
  /**
   * Longest time in milliseconds for reading one (`REQUEST_TIMEOUT_MS`). The limit of a request begins only after
   * authentication (docs/decisions.md, "Failures"), so this reading has its own.
   */
  timeoutMs?: number
}

/** Age in milliseconds up to which a cached record is used: short, so that a disabled client is refused soon. */
const FRESH_MS = 2_000
/** Largest number of cached records. Each has some KiB, so all of them stay far below 100 MB. */
const MAX_KEPT = 10_000

/** Columns of a client as Prisma would read them: an array that is null is empty. */
const COLUMNS = Prisma.raw(`
  id, name, role, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
  previous_secret_ends AS "previousSecretEnds", phone_number AS "phoneNumber", coalesce(currencies, '{}') AS currencies,
  max_amount AS "maxAmount", monthly_amount AS "monthlyAmount", max_points AS "maxPoints",
  monthly_points AS "monthlyPoints", dummy_cards AS "dummyCards", created_at AS "createdAt",
  disabled_at AS "disabledAt", coalesce(webhook_secrets, '{}') AS "webhookSecrets",
  coalesce(webhook_secret_ends, '{}') AS "webhookSecretEnds", quotas, jwks, jwks_uri AS "jwksUri"`)

const toFailure = (error: unknown) =>
  error instanceof ServiceError
    ? error
    : (fromDatabase(error) ?? unavailable('The clients cannot be read at the moment', { cause: error }))

interface Reading {
  readonly at: number
  readonly record: ReturnType<ClientCache['find']>
  value?: ClientRecord | undefined
}

/** Caches records for a moment, since every request needs one. Simultaneous requests share a reading. */
export const createClientCache = ({
  db,
  now,
  timeoutMs,
}: Required<Pick<ClientsOptions, 'now' | 'timeoutMs'>> & {
  readonly db: Pick<Statements, '$queryRaw'>
}): ClientCache => {
  const readings = new LRUCache<string, Reading>({ max: MAX_KEPT })
  const read = async (id: string) => {
    try {
      const [client] = await withDeadline(
        timeoutMs,
        () => db.$queryRaw<Client[]>`SELECT ${COLUMNS} FROM access.client WHERE id = ${id}`,
      )
      return client
    } catch (error) {
      throw toFailure(error)
    }
  }
  const start = (id: string) => {
    const reading: Reading = { at: now(), record: read(id) }
    readings.set(id, reading)
    reading.record.then(value => Object.assign(reading, { value })).catch(() => readings.delete(id))
    return reading
  }
  const fresh = (id: string): Reading | undefined => {
    const last = readings.get(id)
    return last && now() - last.at < FRESH_MS ? last : isClientId(id) ? start(id) : undefined
  }
  return {
    find: id => fresh(id)?.record ?? Promise.resolve(undefined),
    known: id => fresh(id)?.value,
    forget: id => void readings.delete(id),
  }
}

/** Makes the function that translates a code of Prisma's errors. */
const onCode = (code: string, toRefusal: () => ServiceError) => (error: unknown) => {
  throw error instanceof Prisma.PrismaClientKnownRequestError && error.code === code ? toRefusal() : error
}

const unknownClient = (id: string) => notFound(`Client ${id}`)

type Change<T> = (tx: Transaction) => Promise<T>

/** Hides the phone number in changes: it belongs to a subscriber, and the log of acts is kept for ever. */
const withoutNumber = <Changes extends { phoneNumber?: string | null }>(changes: Changes) =>
  typeof changes.phoneNumber === 'string' ? { ...changes, phoneNumber: 'set' } : changes

/** Makes the clients of this database. */
export function createClients(
  db: Db,
  { countryCode, now = Date.now, timeoutMs = 10_000, by: actor = SERVER }: ClientsOptions,
): Clients {
  const cache = createClientCache({ db, now, timeoutMs })
  /** Changes a client and records that in one transaction. */
  const change = async <T>(id: string, act: Omit<Act, 'actor' | 'target'>, work: Change<T>): Promise<T> => {
    const changed = await db.$transaction(async tx => {
      const result = await work(tx)
      await recordAct(tx, { ...act, actor, target: id })
      return result
    })
    cache.forget(id)
    return changed
  }
  const setDisabled = async (id: string, action: Action, disabledAt: Date | null) => {
    await change(id, { action }, tx =>
      tx.client
        .update({ where: { id }, data: { disabledAt } })
        .catch(onCode('P2025', () => unknownClient(id))),
    )
  }
  const show: Clients['show'] = async id => {
    const client = await db.client.findUnique({ where: { id }, omit: SECRET_COLUMNS })
    if (!client) throw unknownClient(id)
    return client
  }
  return {
    ...cache,
    list: () => db.client.findMany({ omit: SECRET_COLUMNS, orderBy: { id: 'asc' } }),
    show,
    async add(client) {
      const { id, role, secret = newSecret() } = client
      const checked = checkNewClient(client, countryCode)
      const data = { ...checked, secretHash: await hashSecret(secret) }
      const taken = () => invalidField('id', 'CONTRADICTION', `must be new: there is a client ${id} already`)
      const { id: _, ...details } = withoutNumber(checked)
      await change(id, { action: 'CLIENT_ADDED', details }, tx => tx.client.create({ data })).catch(
        onCode('P2002', taken),
      )
      return { id, role, secret }
    },
    update: (id, changes) =>
      change(id, { action: 'CLIENT_CHANGED', details: withoutNumber(changes) }, async tx => {
        await tx.$executeRaw`SELECT FROM access.client WHERE id = ${id} FOR UPDATE`
        const client = await tx.client.findUnique({ where: { id } })
        if (!client) throw unknownClient(id)
        const data = checkChanges(changes, client, countryCode)
        return tx.client.update({ where: { id }, data, omit: SECRET_COLUMNS })
      }),
    async setQuotas(id, texts) {
      const quotas = checkQuotas(texts)
      if (Object.keys(quotas).length === 0) return quotasOf((await show(id)).quotas)
      const [row] = await change(id, { action: 'CLIENT_CHANGED', details: { quotas } }, async tx => {
        const rows = await tx.$queryRaw<{ quotas: unknown }[]>`
          UPDATE access.client SET quotas = quotas || ${JSON.stringify(quotas)}::jsonb
          WHERE id = ${id} RETURNING quotas`
        if (rows.length === 0) throw unknownClient(id)
        return rows
      })
      return quotasOf(row!.quotas)
    },
    async rotate(id, overlapMs = 0) {
      const secret = newSecret()
      const secretHash = await hashSecret(secret)
      const previousEndsAt = overlapMs > 0 ? new Date(now() + overlapMs) : undefined
      const details = { previousEndsAt }
      const [row] = await change(id, { action: 'SECRET_ROTATED', details }, async tx => {
        const rows = await tx.$queryRaw<{ role: Role }[]>`
          UPDATE access.client SET secret_hash = ${secretHash},
            previous_secret_hash = CASE WHEN ${overlapMs > 0} THEN secret_hash END,
            previous_secret_ends = ${previousEndsAt ?? null}::timestamptz
          WHERE id = ${id} RETURNING role`
        if (rows.length === 0) throw unknownClient(id)
        return rows
      })
      return { id, role: row!.role, secret, previousEndsAt }
    },
    disable: id => setDisabled(id, 'CLIENT_DISABLED', new Date(now())),
    enable: id => setDisabled(id, 'CLIENT_ENABLED', null),
  }
}
