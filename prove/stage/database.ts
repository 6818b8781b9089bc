/** Database of the run before the servers start and after they have ended: clients, opening balances, final tables. */

import type { NewClient } from '#core/access/client-input.ts'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { type Db, openDatabase, Prisma } from '#core/data/db.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import type { Balance, BeforeLine, RowLine } from '../history/lines.ts'
import { KINDS } from '../kinds.ts'
import { CLIENTS } from './clients.ts'

/** Columns of each table of transactions. */
const TRANSACTION =
  'id, position, client_id, client_position, client_correlator_id, reference_code, status, completed_at, reason, account_number, mobile_number, currency, amount, points, webhook_url, created_at'

/** Columns that all sums by day have. */
const DAY = 'client_id, day, kind, outcome, currency, entries, amount, points'

/** Tables of the final state, with the columns that checks read. */
const TABLES: readonly (readonly [table: string, columns: string, order: string])[] = [
  ...KINDS.map(({ table }) => [table, TRANSACTION, 'position'] as const),
  [
    'events.event',
    'position, eventid, kind, event_type, transaction_id, operation_status, status, client_id, client_correlator_id, event_time',
    'position',
  ],
  [
    'events.delivery',
    'id, position, eventid, kind, transaction_id, client_id, url, status, attempts, last_status, last_error, lease',
    'position',
  ],
  ['events.intervention', 'transaction_id, action, kind, carried_out_at, refusal', 'transaction_id, action'],
  ['ledger.balance', 'kind, holder, currency, amount', 'kind, holder'],
  ['ledger.entry', 'transaction_id, kind, holder, currency, amount', 'transaction_id'],
  ['ledger.reversal', 'transaction_id, kind, holder, currency, amount', 'transaction_id'],
  ['activity.entry', 'id, sort, kind, client_id, status, outcome, currency, amount, points', 'sort'],
  ['activity.client_day', DAY, 'client_id, day'],
  ['activity.total_day', DAY, 'client_id, day'],
  ['activity.holder_day', `account_number, mobile_number, ${DAY}`, 'account_number, day'],
  [
    'activity.statement',
    'client_id, day, id, event_until, entries, sha256, numbers, sums, corrections',
    'client_id, day',
  ],
  ['activity.statement_progress', 'day, event_until', 'day'],
  ['charging.order', 'transaction_id, kind, state, outcome', 'transaction_id'],
  ['books.book', 'name, client_id, position', 'name, client_id'],
]

type Row = Record<string, string | null>

const quoted = (table: string) =>
  table
    .split('.')
    .map(part => `"${part}"`)
    .join('.')

/** Reads a table with every value as text, so that none loses a digit. */
const readTable = (db: Db, table: string, columns: string, order: string): Promise<Row[]> => {
  const texts = columns.split(', ').map(column => `${column}::text AS ${column}`)
  return db.$queryRaw<Row[]>(
    Prisma.raw(
      `SELECT ${texts.join(', ')} FROM ${quoted(table)} t ORDER BY ${order
        .split(', ')
        .map(one => `t.${one}`)
        .join(', ')}`,
    ),
  )
}

/** Settings by which a server finds the database. */
export type Place = Readonly<Record<string, string>>

/** Fills an empty database with the demo data and clients. @returns its state before the first call. */
export async function prepareDatabase(
  place: Place,
  clients: readonly NewClient[] = CLIENTS,
): Promise<BeforeLine> {
  const config = readConfig({ ...place, LOG_LEVEL: 'fatal', PORT: '0' })
  const app: App = await openApp(config, createLog('fatal'), seedDemo)
  try {
    for (const client of clients) await app.access.clients.add({ ...client })
    return await readBefore(app.db)
  } finally {
    await app.database.close()
  }
}

async function readBefore(db: Db): Promise<BeforeLine> {
  const balances = (await readTable(
    db,
    'ledger.balance',
    'kind, holder, currency, amount',
    'holder',
  )) as unknown as Balance[]
  const transactions: string[] = []
  for (const { table } of KINDS)
    transactions.push(...(await readTable(db, table, 'id', 'id')).map(({ id }) => id!))
  const [last] = await db.$queryRaw<
    [{ position: bigint | null }]
  >`SELECT max(position) AS position FROM events.event`
  return { t: 'before', transactions, balances, event: Number(last.position ?? 0) }
}

/** Reads the final state, once no server is left. */
export async function* readFinal(place: Place): AsyncGenerator<RowLine> {
  const database = await openDatabase(
    readConfig({ ...place, LOG_LEVEL: 'fatal', PORT: '0', DATABASE_POOL_SIZE: '2' }),
  )
  try {
    for (const [table, columns, order] of TABLES)
      for (const row of await readTable(database.db, table, columns, order)) yield { t: 'row', table, row }
  } finally {
    await database.close()
  }
}
