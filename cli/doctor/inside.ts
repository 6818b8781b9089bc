/** Checks of an installation from inside, by its settings and its database; nothing is written. */
import type { Config } from '#core/config/config.ts'
import type { Database } from '#core/data/db.ts'
import { migrationNames, schemaState } from '#core/data/migrations.ts'
import { readInstallation } from '#core/data/outbound.ts'
import { refusalOf } from '#core/data/served-from.ts'
import { errorText } from '../output.ts'
import { openToLook } from './database.ts'
import { checkHosts } from './database-hosts.ts'
import { checkWithin, excerptOf, type Finding, found } from './finding.ts'
import { clockFinding } from './outside.ts'
import { checkPooler } from './pooler.ts'
import { checkReplica } from './replica.ts'
import { checkConnections, checkFolder, checkStorage } from './resources.ts'
import { checkSecrets } from './secrets.ts'
import { checkEndpoints, checkLags } from './waiting.ts'

/** Opening the embedded database takes seconds by itself. */
const OPEN_LIMIT_MS = 30_000

const DATABASE = 'database'

interface ClockRow {
  readonly now: number
}

/** Whether the database answers, in which time, and how its clock differs. */
const checkDatabase = async ({ db, embedded }: Database): Promise<readonly Finding[]> => {
  await db.$queryRaw`SELECT 1 AS one`
  const [began, at] = [performance.now(), Date.now()]
  const [row] = await db.$queryRaw<ClockRow[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  const took = performance.now() - began
  const answers = found.well(DATABASE, `The database answers in ${Math.round(took)} ms.`)
  if (embedded) return [answers]
  const seconds = (row!.now - (at + took / 2)) / 1_000
  return [answers, clockFinding('database clock', "The database's clock", seconds)]
}

const UNREACHABLE = 'see whether it runs, and lets this machine in at the host, port and user of DATABASE_URL'

const unreachable = (error: unknown): Finding => {
  const why = excerptOf(errorText(error))
  const text = why.startsWith('The database') ? why : `The database cannot be used: ${why}`
  return found.broken(DATABASE, `${text}; ${UNREACHABLE}.`)
}

const SCHEMA = 'schema'

/** The migrations of the database; the others can be checked on the schema of this version alone. */
const checkSchemaState = async ({ db, embedded }: Database): Promise<Finding> => {
  const state = await schemaState(db)
  const { pending, unknown } = state
  const refusal = refusalOf(state)
  if (refusal) return found.broken(SCHEMA, `${refusal}.`)
  if (pending.length === migrationNames().length)
    return found.unchecked(SCHEMA, 'The database is empty: the first start sets it up.')
  if (pending.length > 0 && embedded)
    return found.unchecked(
      SCHEMA,
      `The embedded database lacks ${pending.length} migration(s): the next start brings it up to date.`,
    )
  if (pending.length > 0)
    return found.broken(
      SCHEMA,
      `The database lacks ${pending.length} migration(s), the first ${pending[0]}, so that no server of this version starts on it: run npm run db:migrate.`,
    )
  if (unknown.length > 0)
    return found.well(
      SCHEMA,
      `A later version has expanded the schema by ${unknown.length} migration(s), the last ${unknown.at(-1)}; this version serves it.`,
    )
  return found.well(SCHEMA, 'The schema is that of this version.')
}

const OUTBOUND = 'outbound traffic'

const checkInstallation = async (database: Database, config: Config): Promise<Finding> => {
  if (!config.outbound)
    return found.degraded(
      OUTBOUND,
      'OUTBOUND=0 is set: webhooks, charging calls and SMS wait until a server runs without it.',
    )
  const installation = await readInstallation(database, config)
  if (!installation) return found.unchecked(OUTBOUND, 'No server has been started on this database yet.')
  if (installation.place === installation.here) return found.well(OUTBOUND, 'Servers on this database send.')
  return found.degraded(
    OUTBOUND,
    'The database is a copy of one at another place, so that servers on it send nothing: where it takes the place of the other, agree with npm run cli -- installation confirm.',
  )
}

/** The checks on an open database, each within its limit. */
const checkOpened = async (
  database: Database,
  config: Config,
  limitMs: number,
): Promise<readonly Finding[]> => {
  const check = (name: string, run: () => Promise<readonly Finding[]>) => checkWithin(name, limitMs, run)
  const reached = await check(DATABASE, () => checkDatabase(database).catch(error => [unreachable(error)]))
  if (reached[0]!.status !== 'well') return reached
  const schema = await check(SCHEMA, async () => [await checkSchemaState(database)])
  const resources = [
    () => check('connections', () => checkConnections(database, config)),
    () => check('disk', () => checkStorage(database)),
  ]
  const others = [
    () => check('SECRETS_KEY', () => checkSecrets(database, config)),
    () => check(OUTBOUND, async () => [await checkInstallation(database, config)]),
    () => check('lags', () => checkLags(database)),
    () => check('endpoints', () => checkEndpoints(database)),
  ]
  const more = schema[0]!.status === 'well' ? [...others, ...resources] : resources
  const results: Finding[] = [...reached, ...schema]
  // One after the other: each has the database to itself, so that one that is slow is named.
  for (const run of more) results.push(...(await run()))
  return results
}

/** Findings from inside, and whether the database could be read. */
export interface Inside {
  readonly findings: readonly Finding[]
  readonly isRead: boolean
}

/** Checks an installation from inside. @param limitMs limit of each check, in milliseconds. */
export async function checkInside(config: Config, limitMs: number): Promise<Inside> {
  let database: Database | undefined
  let isRead = false
  const folder = await checkWithin('disk', limitMs, () => checkFolder(config))
  const hosts = await checkWithin('database hosts', limitMs, () => checkHosts(config))
  const pooler = await checkWithin('database pooler', limitMs, () => checkPooler(config))
  const replica = await checkWithin('read replica', limitMs, () => checkReplica(config))
  const findings = await checkWithin(DATABASE, OPEN_LIMIT_MS, async () => {
    const opened = await openToLook(config)
    if ('finding' in opened) return [opened.finding]
    database = opened.database
    return []
  })
  if (!database) return { findings: [...hosts, ...pooler, ...replica, ...findings, ...folder], isRead }
  try {
    const all = await checkOpened(database, config, limitMs)
    isRead = all.some(({ check, status }) => check === SCHEMA && status === 'well')
    return { findings: [...hosts, ...pooler, ...replica, ...all, ...folder], isRead }
  } finally {
    await database.close()
  }
}
