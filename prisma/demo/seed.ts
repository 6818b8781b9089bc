/** Demo data: clients, directory and some history, put into an empty database by the first process that opens it. */
import { join } from 'node:path'
import type { Role } from '#core/access/principal.ts'
import { hashSecret, isSecretOf, newSecret } from '#core/access/secrets.ts'
import type { Config } from '#core/config/config.ts'
import { isLoopback } from '#core/config/sections.ts'
import type { Database, Db } from '#core/data/db.ts'
import { importFile } from '#core/directory/import.ts'
import type { Logger } from '#core/observability/log.ts'
import { HISTORY_CLIENT } from './entries.ts'
import { writeHistory } from './history.ts'

const DIRECTORY = join(import.meta.dirname, 'directory.json')

const CLIENTS: readonly { id: string; name: string; role: Role }[] = [
  { id: 'demo-partner', name: 'Demo partner', role: 'partner' },
  { id: 'demo-partner-2', name: 'Second demo partner', role: 'partner' },
  { id: 'demo-portal', name: 'Demo portal', role: 'portal' },
  { id: 'demo-analyst', name: 'Demo analyst', role: 'analyst' },
]

const secretOf = (id: string) => `${id}-secret`

const toRow = async ({ id, name, role }: (typeof CLIENTS)[number]) => ({
  id,
  name,
  role,
  secretHash: await hashSecret(secretOf(id)),
  currencies: ['OMR'],
  dummyCards: true,
})

/** Client that posted the history; it is disabled, and posts no more. */
const historyClient = async (now: Date) => ({
  id: HISTORY_CLIENT,
  name: 'Muscat Kiosks',
  role: 'partner',
  secretHash: await hashSecret(newSecret()),
  currencies: ['OMR'],
  disabledAt: now,
})

/**
 * Writes all demo data. The clients come last and together: a start that is killed on the way finds no client, and
 * begins again.
 */
const seed = async (db: Db, { countryCode }: Config): Promise<void> => {
  await importFile(db, DIRECTORY, { countryCode })
  const now = new Date()
  if ((await db.payment.count()) === 0) await writeHistory(db, now)
  await db.client.createMany({ data: await Promise.all([...CLIENTS.map(toRow), historyClient(now)]) })
}

/**
 * Puts the demo data into an empty database. Of processes that start at the same time, one writes it and the others
 * wait.
 */
export async function seedDemo({ db, withAdvisoryLock }: Database, config: Config): Promise<void> {
  const isEmpty = async () => (await db.client.count()) === 0
  if (!config.demo || !(await isEmpty())) return
  await withAdvisoryLock('demo', async () => {
    if (await isEmpty()) await seed(db, config)
  })
}

/** Finds the demo clients that still have their public secrets. */
export async function openDemoClients(db: Db): Promise<string[]> {
  const ids = CLIENTS.map(({ id }) => id)
  const records = await db.client.findMany({ where: { id: { in: ids }, disabledAt: null } })
  const known = await Promise.all(records.map(one => isSecretOf(one, secretOf(one.id), Date.now())))
  return records.filter((_, index) => known[index]).map(({ id }) => id)
}

/** Warns of demo clients from a time when the server listened on this machine alone. */
const warnOfDemoClients = async ({ db }: Database, { host, auth }: Config, log: Logger) => {
  if (isLoopback(host) || auth.jwksUrl) return
  const clients = await openDemoClients(db)
  if (clients.length > 0)
    log.warn(
      { clients },
      'demo clients with public secrets are let in: `clients rotate` or `clients disable` them',
    )
}

/** Prepares the demo at a start: fills an empty database, and warns where other machines reach its clients. */
export async function prepareDemo(database: Database, config: Config, log: Logger): Promise<void> {
  await seedDemo(database, config)
  await warnOfDemoClients(database, config, log)
}
