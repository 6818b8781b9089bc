/** The removal of a client that has left nothing behind. */
import { loadKinds } from '../subgraphs/load.ts'
import { Prisma, type PrismaClient } from '../subgraphs/shared/data/db.ts'
import { notFound } from '../subgraphs/shared/errors/catalogue.ts'
import { SetupError } from '../subgraphs/shared/errors/setup-error.ts'

/** Where the rows of a client are found by its id. */
const tablesOfClients = async () => [
  ...(await loadKinds()).map(({ schema, table }) => `"${schema}"."${table}"`),
  '"events"."event"',
  '"events"."delivery"',
]

const existsIn = (id: string) => (table: string) =>
  Prisma.sql`EXISTS (SELECT FROM ${Prisma.raw(table)} WHERE client_id = ${id})`

/**
 * Removes the client. Unknown: NOT_FOUND.
 * @throws SetupError when it has transactions, events or deliveries: they name it for as long as they are kept.
 */
export async function removeClient(prisma: PrismaClient, id: string): Promise<void> {
  const traces = Prisma.join((await tablesOfClients()).map(existsIn(id)), ' OR ')
  await prisma.$transaction(async tx => {
    const [client] = await tx.$queryRaw<{ used: boolean }[]>`
      SELECT (${traces}) AS used FROM access.client WHERE id = ${id} FOR UPDATE`
    if (!client) throw notFound(`Client ${id}`)
    if (client.used)
      throw new SetupError(
        `${id} has transactions or webhooks, which name it; refuse it with: clients disable ${id}`,
      )
    await tx.client.delete({ where: { id } })
  })
}
