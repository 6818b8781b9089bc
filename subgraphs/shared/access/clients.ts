/** The clients of the interfaces: added, found, given a new secret, disabled. */
import type { Client } from '../../../prisma/generated/client.ts'
import { Prisma, type PrismaClient } from '../data/db.ts'
import { invalid, notFound } from '../errors/catalogue.ts'
import { toDecimal } from '../values/decimal.ts'
import { createClientCache } from './client-cache.ts'
import { checkNewClient, type NewClient } from './client-input.ts'
import type { Limits, Role } from './principal.ts'
import { checkQuotas, type QuotaTexts } from './quota-input.ts'
import { type Quotas, quotasOf } from './quotas.ts'
import { hashSecret, newSecret } from './secret-hash.ts'

export type ClientRecord = Client

/** What the administrator hands over; the secret is shown this once. */
export interface Credentials {
  id: string
  role: Role
  secret: string
}

/** What belongs to its secrets. */
const SECRET_COLUMNS = { secretHash: true, webhookSecrets: true, webhookSecretEnds: true } as const
type SecretColumn = keyof typeof SECRET_COLUMNS

export interface Clients {
  /** Wrong values, or an id that exists: ServiceError INVALID_ARGUMENT. */
  add(client: NewClient): Promise<Credentials>
  /** The record as it was within the last two seconds; undefined when there is none. Database away: SERVICE_UNAVAILABLE. */
  find(id: string): Promise<ClientRecord | undefined>
  /** Makes a change of the record by this process visible to it at once. */
  forget(id: string): void
  /** All of them by id, without what belongs to their secrets. */
  list(): Promise<Omit<ClientRecord, SecretColumn>[]>
  /** Sets the quotas that are given, and leaves the others; works within two seconds. Unknown: NOT_FOUND. */
  setQuotas(id: string, quotas: QuotaTexts): Promise<Quotas>
  /** Gives a new secret; the old one ends within two seconds, its tokens when they expire. Unknown: NOT_FOUND. */
  rotate(id: string): Promise<Credentials>
  /** Refuses its secret and its tokens within two seconds. Unknown: NOT_FOUND. */
  disable(id: string): Promise<void>
}

const codeOf = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError ? error.code : undefined

const create = (prisma: PrismaClient, data: Prisma.ClientCreateInput) =>
  prisma.client.create({ data }).catch(error => {
    throw codeOf(error) === 'P2002' ? invalid(`id must be new: there is a client ${data.id} already`) : error
  })

const update = (prisma: PrismaClient, id: string, data: Prisma.ClientUpdateInput) =>
  prisma.client.update({ where: { id }, data }).catch(error => {
    throw codeOf(error) === 'P2025' ? notFound(`Client ${id}`) : error
  })

export interface ClientsOptions {
  /** With which national phone numbers are read (`OPERATOR_COUNTRY_CODE`). */
  countryCode: string
  now?: () => number
  /** How long finding one may take (`REQUEST_TIMEOUT_MS`). */
  timeoutMs?: number
}

/** The clients in this database. */
export function createClients(
  prisma: PrismaClient,
  { countryCode, now = Date.now, timeoutMs = 10_000 }: ClientsOptions,
): Clients {
  const { find, forget } = createClientCache({ prisma, now, timeoutMs })
  const add = async (client: NewClient) => {
    const checked = checkNewClient(client, countryCode)
    const secret = client.secret ?? newSecret()
    await create(prisma, { ...checked, secretHash: await hashSecret(secret) })
    forget(client.id)
    return { id: client.id, role: client.role, secret }
  }
  const rotate = async (id: string) => {
    const secret = newSecret()
    const { role } = await update(prisma, id, { secretHash: await hashSecret(secret) })
    forget(id)
    return { id, role: role as Role, secret }
  }
  const setQuotas = async (id: string, texts: QuotaTexts) => {
    const given = JSON.stringify(checkQuotas(texts))
    const [row] = await prisma.$queryRaw<{ quotas: unknown }[]>`
      UPDATE access.client SET quotas = quotas || ${given}::jsonb WHERE id = ${id} RETURNING quotas`
    if (!row) throw notFound(`Client ${id}`)
    forget(id)
    return quotasOf(row.quotas)
  }
  const disable = async (id: string) => {
    await update(prisma, id, { disabledAt: new Date(now()) })
    forget(id)
  }
  const list = () => prisma.client.findMany({ omit: SECRET_COLUMNS, orderBy: { id: 'asc' } })
  return { add, find, forget, list, setQuotas, rotate, disable }
}

const limit = (value: Prisma.Decimal | null) => (value === null ? undefined : toDecimal(value.toString()))

/** The limits that a client's record sets. */
export const limitsOf = (record: ClientRecord): Limits => ({
  currencies: record.currencies,
  maxAmount: limit(record.maxAmount),
  monthlyAmount: limit(record.monthlyAmount),
  maxPoints: limit(record.maxPoints),
  monthlyPoints: limit(record.monthlyPoints),
  dummyCards: record.dummyCards,
})
