/**
 * The settler of a kind: it settles at once after a create, and every second what another process left behind; a round
 * goes on past transactions that cannot be settled.
 */

import { createWorker, type Worker } from '#core/async/worker.ts'
import type { App } from '#core/context/app.ts'
import { isOutage } from '#core/data/database-errors.ts'
import type { Settlement } from '../kind.ts'
import { watchSettlingLag } from './lag.ts'
import {
  isAnyNew,
  openHighWaterMark,
  quarantine,
  readDueInQuarantine,
  rescheduleQuarantined,
  retryQuarantined,
  type SettlingBatch,
  settleNext,
  settleQuarantined,
} from './settle.ts'

const SWEEP_MS = 1_000

/**
 * The rest after a round under load: as long as the round before took, at most so long. Transactions that are posted
 * meanwhile are settled together, at a fraction of the work. After a pause there is no round before.
 */
const LONGEST_REST_MS = 5
const restMs = (previousRoundMs: number): number => Math.min(previousRoundMs, LONGEST_REST_MS)

const MAX_BATCH = 200

/** A standstill: a batch takes milliseconds, and the watchdog reports soon that posted transactions are not settled. */
export const SETTLING_STANDSTILL_MS = 2_000

/** When so many fail one after the other, no row is to blame: the round ends, and the next one tries again. */
const MAX_IN_A_ROW = 20

/** @throws the error itself when no row is to blame for it: nothing was claimed, or the database is away. */
const reportFailure = (app: App, { kind }: Settlement, id: string | undefined, error: unknown) => {
  if (id === undefined || isOutage(error)) throw error
  app.log.error(
    { err: error, transactionId: id, kind: kind.name },
    'transaction could not be settled; retrying in the next round',
  )
}

/**
 * Settles new transactions in batches. A batch that fails is halved until the row to blame stands alone and is quarantined,
 * so that it does not delay the others; each batch that succeeds doubles the next.
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
    const batch: SettlingBatch = { most, claimed: [], isFull: false }
    try {
      await settleNext(app, settlement, batch)
      progress()
      if (!batch.isFull) return
      inARow = 0
      most = Math.min(most * 2, MAX_BATCH)
    } catch (error) {
      const { claimed } = batch
      if (claimed.length <= 1) {
        reportFailure(app, settlement, claimed[0]?.id, error)
        await app.db.$transaction(tx => quarantine(tx, settlement.kind, claimed[0]!))
        if (++inARow >= MAX_IN_A_ROW) throw error
      }
      most = Math.max(1, Math.floor(claimed.length / 2))
    }
  }
}

/** Settles transactions in quarantine that are due, one by one: they have failed before, and would fail a batch. */
const settleDue = async (app: App, settlement: Settlement, progress: () => void): Promise<void> => {
  for (const id of await readDueInQuarantine(app.db, settlement.kind)) {
    progress()
    try {
      await settleQuarantined(app, settlement, id)
    } catch (error) {
      reportFailure(app, settlement, id, error)
      await app.db.$transaction(tx => rescheduleQuarantined(tx, id))
    }
  }
}

/**
 * Settles everything that waits, except what is in quarantine and not due.
 * @param isStopping whether the rest is to be left to the next settler.
 * @param progress called after each batch.
 */
export async function settleAll(
  app: App,
  settlement: Settlement,
  isStopping: () => boolean = () => false,
  progress: () => void = () => undefined,
): Promise<void> {
  if (await isAnyNew(app.db, settlement.kind)) await settleNew(app, settlement, isStopping, progress)
  await settleDue(app, settlement, progress)
}

/** Starts settling a service's transactions until stopped. A failure of the database ends a round, never the settler. */
export async function startSettler(app: App, settlement: Settlement): Promise<Worker> {
  await openHighWaterMark(app.db, settlement.kind)
  await retryQuarantined(app.db, settlement.kind)
  watchSettlingLag(app, settlement.kind)
  const settler = createWorker({
    run: (isStopping, progress) => settleAll(app, settlement, isStopping, progress),
    rounds: app.watchdog.over(`settling of ${settlement.kind.name}`, SETTLING_STANDSTILL_MS),
    isReportedByReadiness: isOutage,
    sweepMs: SWEEP_MS,
    restMs,
    onError: error => app.log.warn({ err: error }, 'settling round failed; retrying within a second'),
  })
  settler.wake()
  return settler
}
