/** A short-lived cache of client records, since every request needs one. */
import { LRUCache } from 'lru-cache'
import type { Client } from '#prisma/generated/client.ts'
import { withDeadline } from '../async/deadline.ts'
import { fromDatabase } from '../data/database-errors.ts'
import { Prisma, type Reader } from '../data/db.ts'
import { ServiceError, unavailable } from '../errors/catalogue.ts'
import { isClientId } from './client-input.ts'

/** Short, so that disabling a client works at once. */
const FRESH_MS = 2_000
/** Ids have 128 characters at the most, and records some KiB: far below 100 MB. */
const MAX_KEPT = 10_000

const toFailure = (error: unknown) =>
  error instanceof ServiceError
    ? error
    : (fromDatabase(error) ?? unavailable('The clients cannot be read at the moment', { cause: error }))

const COLUMNS = Prisma.raw(`
  id, name, role, secret_hash AS "secretHash", previous_secret_hash AS "previousSecretHash",
  previous_secret_ends AS "previousSecretEnds", phone_number AS "phoneNumber", coalesce(currencies, '{}') AS currencies,
  max_amount AS "maxAmount", monthly_amount AS "monthlyAmount", max_points AS "maxPoints",
  monthly_points AS "monthlyPoints", dummy_cards AS "dummyCards", created_at AS "createdAt",
  disabled_at AS "disabledAt", coalesce(webhook_secrets, '{}') AS "webhookSecrets",
  coalesce(webhook_secret_ends, '{}') AS "webhookSecretEnds", quotas`)

/** The record as Prisma reads it, for which null is an empty array. */
const readClient = async (reader: Reader, id: string): Promise<Client | undefined> => {
  const [client] = await reader.$queryRaw<Client[]>`SELECT ${COLUMNS} FROM access.client WHERE id = ${id}`
  return client
}

const read = async ({ reader, timeoutMs }: ClientCacheOptions, id: string) => {
  try {
    return await withDeadline(timeoutMs, () => readClient(reader, id))
  } catch (error) {
    throw toFailure(error)
  }
}

export interface ClientCacheOptions {
  readonly reader: Reader
  readonly now: () => number
  /** Whoever asks has not been let in yet, so no request's limit runs: a reading has its own (docs/decisions.md, "Failures"). */
  readonly timeoutMs: number
}

interface Reading {
  readonly at: number
  readonly record: Promise<Client | undefined>
}

/**
 * Keeps readings for a moment; requests that come together share one. `forget` makes a change of this process
 * visible at once. Database away: ServiceError SERVICE_UNAVAILABLE; too slow: REQUEST_TIMEOUT_EXCEEDED.
 */
export const createClientCache = (options: ClientCacheOptions) => {
  const { now } = options
  const readings = new LRUCache<string, Reading>({ max: MAX_KEPT })
  const start = (id: string) => {
    const record = read(options, id)
    readings.set(id, { at: now(), record })
    record.catch(() => readings.delete(id))
    return record
  }
  const find = (id: string): Reading['record'] => {
    const reading = readings.get(id)
    if (reading && now() - reading.at < FRESH_MS) return reading.record
    return isClientId(id) ? start(id) : Promise.resolve(undefined)
  }
  return { find, forget: (id: string) => void readings.delete(id) }
}
