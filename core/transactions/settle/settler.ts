/**
 * When settling happens: at once after a create, and every second for what another process left behind; and how a round
 * goes on past what cannot be settled.
 */

import { createWorker, type Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Settlement } from '../kind.ts'
import { putOff, readDue, setAside, tryAllAgain } from './quarantine.ts'
import { isAnyNew, openIntake, settleNext, settleSetAside, type Turn } from './settle.ts'

const SWEEP_MS = 1_000

/**
 * Under load a round rests as long as the one before took, at most so long: what is posted meanwhile is settled together, at
 * a fraction of the work. After a pause there is no round before.
 */
const LONGEST_REST_MS = 5
const restMs = (previousRoundMs: number): number => Math.min(previousRoundMs, LONGEST_REST_MS)

const MAX_BATCH = 200

/** For a batch, which takes milliseconds: what is posted and not settled is to be told of soon. */
export const STANDSTILL_MS = 2_000

/** When so many fail one after the other, none of them is to blame: the round ends, and the next one tries again. */
const MAX_IN_A_ROW = 20

/** @throws the error itself when no row is to blame for it: nothing was claimed, or the database is away. */
const tellFailure = (app: App, { kind }: Settlement, id: string | undefined, error: unknown) => {
  if (id === undefined || isOutage(error)) throw error
  app.log.error(
    { err: error, transactionId: id, kind: kind.name },
    'transaction could not be settled; retrying in the next round',
  )
}

/** One row that cannot be settled must not hold up the others. */
const passOver = async (app: App, settlement: Settlement, { claimed: [row] }: Turn, error: unknown) => {
  tellFailure(app, settlement, row?.id, error)
  await app.writer.transaction(tx => setAside(tx, settlement.kind, row!))
}

/**
 * Settles what is new, in batches: one that fails is halved until the row to blame stands alone and is set aside, and
 * each one that succeeds doubles the next.
 */
const settleNew = async (
  app: App,
  settlement: Settlement,
  isStopping: () => boolean,
  progress: () => void,
): Promise<void> => {
  let most = MAX_BATCH
  let inARow = 0
  while (!isStopping()) {
    const turn: Turn = { most, claimed: [], isFull: false }
    try {
      await settleNext(app, settlement, turn)
      progress()
      if (!turn.isFull) return
      inARow = 0
      most = Math.min(most * 2, MAX_BATCH)
    } catch (error) {
      if (turn.claimed.length <= 1) {
        await passOver(app, settlement, turn, error)
        if (++inARow >= MAX_IN_A_ROW) throw error
      }
      most = Math.max(1, Math.floor(turn.claimed.length / 2))
    }
  }
}

/** Those whose wait is over, one by one: they have failed before, and would fail a batch. */
const settleDue = async (app: App, settlement: Settlement, progress: () => void): Promise<void> => {
  for (const id of await readDue(app.reader, settlement.kind)) {
    progress()
    try {
      await settleSetAside(app, settlement, id)
    } catch (error) {
      tellFailure(app, settlement, id, error)
      await app.writer.transaction(tx => putOff(tx, id))
    }
  }
}

/**
 * Settles everything that waits, but for what is set aside and not due.
 * @param isStopping whether the rest is to be left to whoever comes next.
 * @param progress called after each batch.
 */
export async function settleAll(
  app: App,
  settlement: Settlement,
  isStopping: () => boolean = () => false,
  progress: () => void = () => undefined,
): Promise<void> {
  if (await isAnyNew(app.reader, settlement.kind)) await settleNew(app, settlement, isStopping, progress)
  await settleDue(app, settlement, progress)
}

/** Starts settling a service's transactions until stopped. A failure of the database ends a round, never the settler. */
export async function startSettler(app: App, settlement: Settlement): Promise<Worker> {
  await openIntake(app.db, settlement.kind)
  await tryAllAgain(app.db, settlement.kind)
  const settler = createWorker({
    run: (isStopping, progress) => settleAll(app, settlement, isStopping, progress),
    rounds: app.watchdog.over(`settling of ${settlement.kind.name}`, STANDSTILL_MS),
    isReportedElsewhere: isOutage,
    sweepMs: SWEEP_MS,
    restMs,
    onError: error => app.log.warn({ err: error }, 'settling round failed; retrying within a second'),
  })
  settler.wake()
  return settler
}
