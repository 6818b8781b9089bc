/**
 * Following: what the services have written since last time goes into the timeline, entries, sums and progress in one
 * transaction. All logs are books, numbered densely in commit order, so "from here to there" never misses one.
 */
import type { App } from '../../shared/app.ts'
import type { Transaction } from '../../shared/data/db.ts'
import { EVENT_BOOK } from '../../shared/data/events.ts'
import { KINDS, kindNamed } from '../kinds.ts'
import { changeEntries, createEntries, type Stretch } from './entries.ts'

/** How much of each log is taken at once: what a statement does in well under a second. */
const BATCH = 2_000

type Log = Stretch & { readonly name: string }

/** The logs that have gone on, each with the stretch to take next. */
const logsAhead = (db: Transaction): Promise<Log[]> => db.$queryRaw<Log[]>`
  SELECT p.name, p.position AS from, least(b.position, p.position + ${BATCH}::int) AS to, p.timezone
  FROM activity.progress p JOIN books.book b ON b.name = p.name AND b.client_id = ''
  WHERE b.position > p.position`

/** One follower at a time, in whichever process: the others wait here. */
const takeTurn = (tx: Transaction) =>
  tx.$queryRaw`SELECT 1 FROM activity.progress WHERE name = ${EVENT_BOOK} FOR UPDATE`

const kindsOf = async (tx: Transaction, { from, to }: Stretch) => {
  const rows = await tx.$queryRaw<{ kind: string }[]>`
    SELECT DISTINCT kind FROM events.event WHERE position > ${from}::bigint AND position <= ${to}::bigint`
  return rows.map(({ kind }) => kindNamed(kind)).filter(Boolean)
}

const followCreations = async (tx: Transaction, logs: Log[]) => {
  for (const kind of KINDS) {
    const log = logs.find(({ name }) => name === kind.table)
    if (log) await createEntries(tx, kind, log)
  }
}

const followEvents = async (tx: Transaction, logs: Log[]) => {
  const log = logs.find(({ name }) => name === EVENT_BOOK)
  if (!log) return
  for (const kind of await kindsOf(tx, log)) await changeEntries(tx, kind, log)
}

const noteProgress = (tx: Transaction, logs: Log[]) => tx.$executeRaw`
  UPDATE activity.progress p SET position = done.position
  FROM unnest(${logs.map(({ name }) => name)}::text[], ${logs.map(({ to }) => to)}::bigint[])
    AS done (name, position)
  WHERE p.name = done.name`

const followOnce = async (tx: Transaction): Promise<void> => {
  await takeTurn(tx)
  const logs = await logsAhead(tx)
  if (logs.length === 0) return
  await followCreations(tx, logs)
  await followEvents(tx, logs)
  await noteProgress(tx, logs)
}

/** Takes what there is, a batch at a time, until the timeline shows all that was committed before the call. */
export async function followAll({
  db,
  config: { requestTimeoutMs },
}: Pick<App, 'db' | 'config'>): Promise<void> {
  while ((await logsAhead(db)).length > 0) {
    await db.$transaction(followOnce, { timeout: requestTimeoutMs, maxWait: requestTimeoutMs })
  }
}
