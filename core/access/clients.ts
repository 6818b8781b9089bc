/** The clients of the interfaces: added, found, given a new secret, disabled. */
import type { Client } from '#prisma/generated/client.ts'
import { Prisma, type PrismaClient, type Reader } from '../data/db.ts'
import { invalidField, notFound } from '../errors/catalogue.ts'
import { createClientCache } from './client-cache.ts'
import { type ClientChanges, checkChanges, checkNewClient, type NewClient } from './client-input.ts'
import type { Role } from './principal.ts'
import { checkQuotas, type QuotaTexts } from './quota-input.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import { hashSecret, newSecret } from './secret-hash.ts'

export type ClientRecord = Client

/** What the administrator hands over; the secret is shown this once. */
export interface Credentials {
  id: string
  role: Role
  secret: string
  /** When the secret before ends; absent where it ended at once. */
  previousEndsAt?: Date
}

/** What belongs to its secrets. */
const SECRET_COLUMNS = {
  secretHash: true,
  previousSecretHash: true,
  previousSecretEnds: true,
  webhookSecrets: true,
  webhookSecretEnds: true,
} as const

/** A client without what belongs to its secrets. */
export type PublicClient = Omit<ClientRecord, keyof typeof SECRET_COLUMNS>

export interface Clients {
  /** Wrong values, or an id that exists: ServiceError INVALID_ARGUMENT. */
  add(client: NewClient): Promise<Credentials>
  /** The record as it was within the last two seconds; undefined when there is none. Database away: SERVICE_UNAVAILABLE. */
  find(id: string): Promise<ClientRecord | undefined>
  /** Makes a change of the record by this process visible to it at once. */
  forget(id: string): void
  /** All of them by id, without what belongs to their secrets. */
  list(): Promise<PublicClient[]>
  /** One of them as it is now. Unknown: NOT_FOUND. */
  show(id: string): Promise<PublicClient>
  /** Changes what is given; works within two seconds, a phone number with the next token. Wrong values: INVALID_ARGUMENT. Unknown: NOT_FOUND. */
  update(id: string, changes: ClientChanges): Promise<PublicClient>
  /** Sets the quotas that are given, and leaves the others; works within two seconds. Unknown: NOT_FOUND. */
  setQuotas(id: string, quotas: QuotaTexts): Promise<Quotas>
  /**
   * Gives a new secret; the old one ends within two seconds, its tokens when they expire. Unknown: NOT_FOUND.
   * @param overlapMs for how long the secret before stays good; one before that ends.
   */
  rotate(id: string, overlapMs?: number): Promise<Credentials>
  /** Refuses its secret and its tokens within two seconds. Unknown: NOT_FOUND. */
  disable(id: string): Promise<void>
  /** Lets it in again within two seconds, with the secret it has. Unknown: NOT_FOUND. */
  enable(id: string): Promise<void>
}

const codeOf = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError ? error.code : undefined

const takenId = (id: string) =>
  invalidField('id', 'CONTRADICTION', `must be new: there is a client ${id} already`)

const create = (prisma: PrismaClient, data: Prisma.ClientCreateInput) =>
  prisma.client.create({ data }).catch(error => {
    throw codeOf(error) === 'P2002' ? takenId(data.id) : error
  })

const update = (prisma: PrismaClient, id: string, data: Prisma.ClientUpdateInput) =>
  prisma.client.update({ where: { id }, data }).catch(error => {
    throw codeOf(error) === 'P2025' ? notFound(`Client ${id}`) : error
  })

export interface ClientsOptions {
  /** With which national phone numbers are read (`OPERATOR_COUNTRY_CODE`). */
  countryCode: string
  /** What finds one for a request. */
  reader?: Reader
  now?: () => number
  /** How long finding one may take (`REQUEST_TIMEOUT_MS`). */
  timeoutMs?: number
}

/** What the functions of the clients share. */
interface Parts {
  readonly prisma: PrismaClient
  readonly countryCode: string
  readonly now: () => number
  readonly forget: Clients['forget']
}

const createReaders = (prisma: PrismaClient): Pick<Clients, 'list' | 'show'> => ({
  list: () => prisma.client.findMany({ omit: SECRET_COLUMNS, orderBy: { id: 'asc' } }),
  async show(id) {
    const client = await prisma.client.findUnique({ where: { id }, omit: SECRET_COLUMNS })
    if (!client) throw notFound(`Client ${id}`)
    return client
  },
})

const createAdd =
  ({ prisma, countryCode, forget }: Parts): Clients['add'] =>
  async client => {
    const checked = checkNewClient(client, countryCode)
    const secret = client.secret ?? newSecret()
    await create(prisma, { ...checked, secretHash: await hashSecret(secret) })
    forget(client.id)
    return { id: client.id, role: client.role, secret }
  }

const createUpdate =
  ({ prisma, countryCode, forget }: Parts): Clients['update'] =>
  async (id, changes) => {
    const changed = await prisma.$transaction(async tx => {
      await tx.$executeRaw`SELECT FROM access.client WHERE id = ${id} FOR UPDATE`
      const client = await tx.client.findUnique({ where: { id } })
      if (!client) throw notFound(`Client ${id}`)
      const data = checkChanges(changes, client, countryCode)
      return tx.client.update({ where: { id }, data, omit: SECRET_COLUMNS })
    })
    forget(id)
    return changed
  }

const createRotate =
  ({ prisma, now, forget }: Parts): Clients['rotate'] =>
  async (id, overlapMs = 0) => {
    const secret = newSecret()
    const secretHash = await hashSecret(secret)
    const previousEndsAt = overlapMs > 0 ? new Date(now() + overlapMs) : undefined
    const [row] = await prisma.$queryRaw<{ role: Role }[]>`
      UPDATE access.client SET secret_hash = ${secretHash},
        previous_secret_hash = CASE WHEN ${overlapMs > 0} THEN secret_hash END,
        previous_secret_ends = ${previousEndsAt ?? null}::timestamptz
      WHERE id = ${id} RETURNING role`
    if (!row) throw notFound(`Client ${id}`)
    forget(id)
    return { id, role: row.role, secret, previousEndsAt }
  }

const createSetQuotas =
  ({ prisma, forget }: Parts): Clients['setQuotas'] =>
  async (id, texts) => {
    const given = JSON.stringify(checkQuotas(texts))
    const [row] = await prisma.$queryRaw<{ quotas: unknown }[]>`
      UPDATE access.client SET quotas = quotas || ${given}::jsonb WHERE id = ${id} RETURNING quotas`
    if (!row) throw notFound(`Client ${id}`)
    forget(id)
    return quotasOf(row.quotas)
  }

const createSwitches = ({ prisma, now, forget }: Parts): Pick<Clients, 'disable' | 'enable'> => {
  const setDisabled = async (id: string, disabledAt: Date | null) => {
    await update(prisma, id, { disabledAt })
    forget(id)
  }
  return {
    disable: id => setDisabled(id, new Date(now())),
    enable: id => setDisabled(id, null),
  }
}

/** The clients in this database. */
export function createClients(
  prisma: PrismaClient,
  { countryCode, reader = prisma, now = Date.now, timeoutMs = 10_000 }: ClientsOptions,
): Clients {
  const { find, forget } = createClientCache({ reader, now, timeoutMs })
  const parts = { prisma, countryCode, now, forget }
  return {
    find,
    forget,
    add: createAdd(parts),
    update: createUpdate(parts),
    setQuotas: createSetQuotas(parts),
    rotate: createRotate(parts),
    ...createReaders(prisma),
    ...createSwitches(parts),
  }
}
