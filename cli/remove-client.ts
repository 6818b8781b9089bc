/** The removal of a client that has left nothing behind. */

import { Prisma, type PrismaClient, type Transaction } from '#core/data/db.ts'
import { ensureSequence, lockSequence } from '#core/data/gapless-sequence.ts'
import { notFound } from '#core/errors/catalogue.ts'
import { SetupError } from '#core/errors/setup-error.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { loadKinds } from '#subgraphs/load.ts'

/** Where the rows of a client are found by its id. */
const tablesOfClients = (kinds: readonly TransactionKind[]) => [
  ...kinds.map(({ schema, table }) => `"${schema}"."${table}"`),
  '"events"."event"',
  '"events"."delivery"',
]

const existsIn = (id: string) => (table: string) =>
  Prisma.sql`EXISTS (SELECT FROM ${Prisma.raw(table)} WHERE client_id = ${id})`

/** Whoever posts a client's first transaction looks for the client under the same lock (`transactions/removed-clients.ts`). */
const keepFromPosting = async (tx: Transaction, kinds: readonly TransactionKind[]): Promise<void> => {
  for (const { table } of kinds) {
    await ensureSequence(tx, table)
    await lockSequence(tx, table)
  }
}

/** A server that posts all the time lets it wait for some batches. */
const PATIENT = { maxWait: 10_000, timeout: 60_000 }

/**
 * Removes the client. Unknown: NOT_FOUND. What it posts at the same time is there before, and keeps it, or is refused.
 * @throws SetupError when it has transactions, events or deliveries: they name it for as long as they are kept.
 */
export async function removeClient(prisma: PrismaClient, id: string): Promise<void> {
  const kinds = await loadKinds()
  const traces = Prisma.join(tablesOfClients(kinds).map(existsIn(id)), ' OR ')
  await prisma.$transaction(async tx => {
    await keepFromPosting(tx, kinds)
    const [client] = await tx.$queryRaw<{ used: boolean }[]>`
      SELECT (${traces}) AS used FROM access.client WHERE id = ${id} FOR UPDATE`
    if (!client) throw notFound(`Client ${id}`)
    if (client.used)
      throw new SetupError(
        `${id} has transactions or webhooks, which name it; refuse it with: clients disable ${id}`,
      )
    await tx.client.delete({ where: { id } })
  }, PATIENT)
}
