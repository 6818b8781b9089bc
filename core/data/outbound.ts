/** Whether anything may leave this server: webhooks, test events, charging calls, SMS. What waits meanwhile keeps waiting. */
import type { Config } from '../config/config.ts'
import type { Logger } from '../observability/log.ts'
import type { Database } from './db.ts'
import { claimInstallation, type Installation, readInstallation } from './installation.ts'

export interface Outbound {
  /** Says why nothing leaves, in a sentence; undefined while all may. */
  off(): string | undefined
}

const BY_SETTING = 'Nothing leaves this server: OUTBOUND=0'

/** The command that agrees to outbound traffic from a new place. */
export const CONFIRM = 'npm run cli -- installation confirm'

const isMoved = (found: Installation | undefined): found is Installation =>
  found !== undefined && found.place !== found.here

const movedText = ({ place, here }: Installation) =>
  `Nothing leaves this server: its database is a copy, made of ${place} and now at ${here}. ` +
  `Where it takes the other's place, agree with: ${CONFIRM}`

/** A word that was given meanwhile is looked for so often. */
const LOOK_AGAIN_MS = 2_000

/** Off until the word is given, which any process may do that has the database. */
const untilConfirmed = (database: Database, config: Config, log: Logger, moved: Installation): Outbound => {
  let reason: string | undefined = movedText(moved)
  let lookAt = 0
  const look = async () => {
    if (isMoved(await readInstallation(database, config))) return
    if (reason) log.info('outbound traffic was agreed to: what waits leaves from now on')
    reason = undefined
  }
  return {
    off() {
      if (reason && performance.now() >= lookAt) {
        lookAt = performance.now() + LOOK_AGAIN_MS
        look().catch(() => undefined)
      }
      return reason
    },
  }
}

/** Finds out whether the process may send, and says it in the log where it may not. */
export async function openOutbound(database: Database, config: Config, log: Logger): Promise<Outbound> {
  const found = config.readOnly ? undefined : await claimInstallation(database, config)
  const outbound = !config.outbound
    ? { off: () => BY_SETTING }
    : isMoved(found)
      ? untilConfirmed(database, config, log, found)
      : { off: () => undefined }
  const reason = outbound.off()
  if (reason) log.warn(reason)
  return outbound
}
