/**
 * When settling happens: at once after a create, and every second for what another process left behind; and how a round
 * goes on past what cannot be settled.
 */
import { createWorker, type Worker } from '../async/worker.ts'
import type { App } from '../context/app.ts'
import { fromDatabase } from '../data/database-errors.ts'
import { Prisma } from '../data/db.ts'
import { SetAside } from './set-aside.ts'
import { settleTurn, type Turn } from './settle.ts'
import type { Settlement } from './settlement.ts'

const SWEEP_MS = 1_000

const MAX_BATCH = 200

/** When so many fail one after the other, none of them is to blame: the round ends, and the next one tries again. */
const MAX_IN_A_ROW = 20

/**
 * One row that cannot be settled must not hold up the others.
 * @throws the error itself when no row is to blame for it: nothing was claimed, or the database is away.
 */
const setAside = (
  app: App,
  { kind }: Settlement,
  aside: SetAside,
  { claimed: [row] }: Turn,
  error: unknown,
) => {
  if (!row || fromDatabase(error)?.code === 'SERVICE_UNAVAILABLE') throw error
  app.log.error(
    { err: error, transactionId: row.id, kind: kind.name },
    'transaction could not be settled; retrying in the next round',
  )
  aside.add(row.id)
}

/**
 * Settles what waits, in batches: one that fails is halved until the row to blame stands alone and is set aside, and
 * each one that succeeds doubles the next.
 */
const settleWaiting = async (app: App, settlement: Settlement, aside: SetAside): Promise<void> => {
  let limit = MAX_BATCH
  let inARow = 0
  for (;;) {
    const turn: Turn = { which: Prisma.sql`t.id <> ALL (${aside.ids}::uuid[])`, limit, claimed: [] }
    try {
      await settleTurn(app, settlement, turn)
      if (turn.claimed.length < limit) return
      inARow = 0
      limit = Math.min(limit * 2, MAX_BATCH)
    } catch (error) {
      if (turn.claimed.length <= 1) {
        setAside(app, settlement, aside, turn, error)
        if (++inARow >= MAX_IN_A_ROW) throw error
      }
      limit = Math.max(1, Math.floor(turn.claimed.length / 2))
    }
  }
}

/** Those whose wait is over, one by one: they have failed before, and would fail a batch. */
const settleDue = async (app: App, settlement: Settlement, aside: SetAside): Promise<void> => {
  for (const id of aside.due) {
    const turn: Turn = { which: Prisma.sql`t.id = ${id}::uuid`, limit: 1, claimed: [] }
    try {
      await settleTurn(app, settlement, turn)
      aside.remove(id)
    } catch (error) {
      setAside(app, settlement, aside, turn, error)
    }
  }
}

/**
 * Settles everything that waits, but for what is set aside and not due.
 * @param aside what earlier rounds could not settle; this one adds to it.
 */
export async function settleAll(app: App, settlement: Settlement, aside = new SetAside()): Promise<void> {
  await settleWaiting(app, settlement, aside)
  await settleDue(app, settlement, aside)
}

/** Starts settling a service's transactions until stopped. A failure of the database ends a round, never the settler. */
export function startSettler(app: App, settlement: Settlement): Worker {
  const aside = new SetAside()
  const settler = createWorker({
    run: () => settleAll(app, settlement, aside),
    sweepMs: SWEEP_MS,
    onError: error => app.log.warn({ err: error }, 'settling round failed; retrying within a second'),
  })
  settler.wake()
  return settler
}
