/** The demo: clients, directory and some history, put into an empty database by whoever opens it first. */
import { join } from 'node:path'
import type { Role } from '../subgraphs/shared/access/principal.ts'
import { hashSecret } from '../subgraphs/shared/access/secrets.ts'
import type { Config } from '../subgraphs/shared/config.ts'
import type { PrismaClient } from '../subgraphs/shared/data/db.ts'
import { importFile } from '../subgraphs/shared/directory/import.ts'

const DIRECTORY = join(import.meta.dirname, 'demo-directory.json')

const CLIENTS: readonly { id: string; name: string; role: Role }[] = [
  { id: 'demo-partner', name: 'Demo partner', role: 'partner' },
  { id: 'demo-partner-2', name: 'Second demo partner', role: 'partner' },
  { id: 'demo-portal', name: 'Demo portal', role: 'portal' },
  { id: 'demo-analyst', name: 'Demo analyst', role: 'analyst' },
]

const toRow = async ({ id, name, role }: (typeof CLIENTS)[number]) => ({
  id,
  name,
  role,
  secretHash: await hashSecret(`${id}-secret`),
  currencies: ['OMR'],
  dummyCards: true,
})

/** The clients come last and together: a start that is killed on the way finds no client, and begins again. */
export async function seedDemo(prisma: PrismaClient, config: Config): Promise<void> {
  if (!config.demo || (await prisma.client.count()) > 0) return
  await importFile(prisma, DIRECTORY, { countryCode: config.countryCode })
  await prisma.client.createMany({ data: await Promise.all(CLIENTS.map(toRow)) })
}
