/**
 * Endpoints that a client registered: each takes the events of some kinds, where a transaction names no webhook of its own.
 * A kind belongs to one endpoint of a client, so that each event has one delivery at the most, as ever.
 */
import type { Cipher } from '../access/cipher.ts'
import {
  DEFAULT_OVERLAP_HOURS,
  MAX_OVERLAP_HOURS,
  newWebhookSecret,
  type RotatedSecret,
} from '../access/webhook-secrets.ts'
import { Prisma, type Statements } from '../data/db.ts'
import { originOf } from '../egress/callback-policy.ts'
import { invalidField, notFound, ServiceError } from '../errors/catalogue.ts'
import { isId, newId } from '../values/id.ts'

/** The form of what is sent: the contract's notification, or that within an event of CloudEvents 1.0. */
export type EndpointFormat = 'OWN' | 'CLOUDEVENTS'

/** The health of an endpoint: `PAUSED` on request alone, and then nothing is sent to it. */
export type Health = 'HEALTHY' | 'FAILING' | 'PAUSED'

/** A registered endpoint as clients read it. */
export interface RegisteredEndpoint {
  readonly id: string
  readonly clientId: string
  readonly url: string
  readonly origin: string
  readonly kinds: readonly string[]
  readonly format: EndpointFormat
  readonly health: Health
  /** Since when it has that health; its registration where it never had another. */
  readonly healthSince: Date
  readonly createdAt: Date
}

/** Columns under the names of `RegisteredEndpoint`, of a table `t` and its health `h`. */
const COLUMNS = Prisma.raw(`
  t.id, t.client_id AS "clientId", t.url, t.origin, t.kinds, t.format, coalesce(h.health, 'HEALTHY') AS health,
  coalesce(h.since, t.created_at) AS "healthSince", t.created_at AS "createdAt"`)

const FROM = Prisma.raw(`
  events.registered_endpoint t LEFT JOIN events.endpoint_health h ON h.client_id = t.client_id AND h.origin = t.origin`)

/** Most endpoints of a client: there are not as many kinds. */
const MOST = 200

/** Reads the endpoints in the order of their registration. @param visible the condition on a table called `t`. */
export const listEndpoints = (db: Statements, visible: Prisma.Sql): Promise<RegisteredEndpoint[]> =>
  db.$queryRaw<
    RegisteredEndpoint[]
  >`SELECT ${COLUMNS} FROM ${FROM} WHERE ${visible} ORDER BY t.id LIMIT ${MOST}`

/** Reads one. @throws ServiceError NOT_FOUND where there is none that the caller may see. */
export async function readEndpoint(
  db: Statements,
  id: string,
  visible: Prisma.Sql,
): Promise<RegisteredEndpoint> {
  const [row] = isId(id)
    ? await db.$queryRaw<
        RegisteredEndpoint[]
      >`SELECT ${COLUMNS} FROM ${FROM} WHERE t.id = ${id}::uuid AND ${visible}`
    : []
  if (!row) throw notFound(`Webhook endpoint ${id.slice(0, 64)}`)
  return row
}

/** Changes of one client's endpoints take turns, so that a kind gets no second endpoint meanwhile. */
const takeTurn = (tx: Statements, clientId: string) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`partner-graph endpoints ${clientId}`}))`

/** @throws ServiceError ALREADY_EXISTS naming the endpoint that has one of the kinds. */
const checkKinds = async (tx: Statements, clientId: string, kinds: readonly string[], own: string | null) => {
  const [other] = await tx.$queryRaw<{ id: string; kinds: string[] }[]>`
    SELECT id, kinds FROM events.registered_endpoint
    WHERE client_id = ${clientId} AND kinds && ${[...kinds]}::text[] AND id IS DISTINCT FROM ${own}::uuid LIMIT 1`
  if (!other) return
  const shared = other.kinds.filter(kind => kinds.includes(kind)).join(', ')
  throw new ServiceError(
    'ALREADY_EXISTS',
    `kinds: endpoint ${other.id} takes ${shared} already; a kind has one endpoint`,
    {
      field: 'kinds',
      reason: 'CONTRADICTION',
    },
  )
}

/** A new endpoint; its values were checked. */
export interface NewEndpoint {
  readonly clientId: string
  readonly url: string
  readonly kinds: readonly string[]
  readonly format: EndpointFormat
  /** The secret that signs; a new one unless given. */
  readonly secret?: string | undefined
}

/** Registers an endpoint in the caller's transaction. @returns its id, and the secret, which is shown this once. */
export async function addEndpoint(tx: Statements, cipher: Cipher, endpoint: NewEndpoint) {
  const { clientId, url, kinds, format, secret = newWebhookSecret() } = endpoint
  await takeTurn(tx, clientId)
  await checkKinds(tx, clientId, kinds, null)
  const id = newId()
  await tx.$executeRaw`
    INSERT INTO events.registered_endpoint (id, client_id, url, origin, kinds, format, secret, created_at)
    VALUES (${id}::uuid, ${clientId}, ${url}, ${originOf(url)}, ${[...kinds]}::text[], ${format},
      ${cipher.encrypt(secret)}, date_trunc('milliseconds', clock_timestamp()))`
  return { id, secret }
}

/** Changes of an endpoint; what is absent stays. */
export type EndpointChange = Partial<Omit<NewEndpoint, 'clientId'>>

/** Changes an endpoint in the caller's transaction; what still waits for it goes to its new address. */
export async function changeEndpoint(
  tx: Statements,
  cipher: Cipher,
  { id, clientId, ...before }: RegisteredEndpoint,
  { url = before.url, kinds = before.kinds, format = before.format, secret }: EndpointChange,
): Promise<void> {
  await takeTurn(tx, clientId)
  await checkKinds(tx, clientId, kinds, id)
  const encrypted = secret === undefined ? null : cipher.encrypt(secret)
  const changed = await tx.$executeRaw`
    UPDATE events.registered_endpoint SET url = ${url}, origin = ${originOf(url)}, kinds = ${[...kinds]}::text[],
      format = ${format}, secret = coalesce(${encrypted}::text, secret)
    WHERE id = ${id}::uuid`
  if (changed === 0) throw notFound(`Webhook endpoint ${id}`)
  if (url !== before.url)
    await tx.$executeRaw`
      UPDATE events.delivery SET url = ${url}, origin = ${originOf(url)}
      WHERE client_id = ${clientId} AND status = 'PENDING' AND attempts >= 0 AND endpoint_id = ${id}::uuid`
}

/** Removes an endpoint in the caller's transaction; what still waits for it is given up. */
export async function removeEndpoint(tx: Statements, { id, clientId }: RegisteredEndpoint): Promise<void> {
  await takeTurn(tx, clientId)
  await tx.$executeRaw`DELETE FROM events.registered_endpoint WHERE id = ${id}::uuid`
  await tx.$executeRaw`
    UPDATE events.delivery SET status = 'DEAD', next_attempt_at = NULL, last_error = 'the endpoint was removed'
    WHERE client_id = ${clientId} AND status = 'PENDING' AND attempts >= 0 AND endpoint_id = ${id}::uuid`
}

const HOUR_MS = 3_600_000

/** Gives an endpoint a new secret in the caller's transaction; the one before also signs for so many hours. */
export async function rotateEndpointSecret(
  tx: Statements,
  cipher: Cipher,
  { id }: RegisteredEndpoint,
  overlapHours = DEFAULT_OVERLAP_HOURS,
): Promise<RotatedSecret> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw invalidField('overlapHours', 'TOO_GREAT', `must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
  const secret = newWebhookSecret()
  const previousEndsAt = new Date(Date.now() + overlapHours * HOUR_MS)
  await tx.$executeRaw`
    UPDATE events.registered_endpoint SET previous_secret = secret, previous_secret_ends = ${previousEndsAt}::timestamptz,
      secret = ${cipher.encrypt(secret)}
    WHERE id = ${id}::uuid`
  return overlapHours === 0 ? { secret } : { secret, previousEndsAt }
}

/** The form and the encrypted secrets of an endpoint, as a delivery to it is written. */
export interface EndpointTerms {
  readonly format: EndpointFormat
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretEnds: string | null
}

/** The terms of the endpoint of a delivery called `d`, as one column; null where its transaction named the address. */
export const TERMS = Prisma.raw(`(
  SELECT jsonb_build_object('format', p.format, 'secret', p.secret, 'previousSecret', p.previous_secret,
    'previousSecretEnds', p.previous_secret_ends)
  FROM events.registered_endpoint p WHERE p.id = d.endpoint_id)`)

/** Reads the terms of an endpoint. @throws ServiceError NOT_FOUND where it was removed meanwhile. */
export async function readTerms(
  db: Statements,
  { id }: Pick<RegisteredEndpoint, 'id'>,
): Promise<EndpointTerms> {
  const [row] = await db.$queryRaw<{ terms: EndpointTerms | null }[]>`
    SELECT ${TERMS} AS terms FROM (SELECT ${id}::uuid AS endpoint_id) d`
  if (!row?.terms) throw notFound(`Webhook endpoint ${id}`)
  return row.terms
}

/** The secrets that sign at a time, the newest first. @param now milliseconds since 1970. */
export const secretsOf = (
  cipher: Cipher,
  { secret, previousSecret, previousSecretEnds }: EndpointTerms,
  now: number,
): string[] => {
  const previous = previousSecret !== null && Date.parse(previousSecretEnds!) > now ? [previousSecret] : []
  return [secret, ...previous].map(text => cipher.decrypt(text))
}
