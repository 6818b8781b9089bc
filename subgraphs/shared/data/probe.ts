/** Whether the database can be used: it answers, and now and then, that something can be written. */

import { untilAborted } from '../async/deadline.ts'
import { stateOf } from './database-errors.ts'
import type { DataParts } from './parts.ts'

const PROBE_TIMEOUT_MS = 2_000
/** A disk does not fill within seconds, and readiness is asked for all the time. */
const WRITE_AGAIN_MS = 5_000
const FAILED_AGAIN_MS = 500

type Fault = string | undefined

const look = ({ db }: DataParts): Promise<Fault> =>
  db.$queryRaw`SELECT 1`.then(
    () => undefined,
    () => 'the database cannot be reached',
  )

/** A row of its own, which no writer waits for. */
const write = ({ db }: DataParts): Promise<Fault> =>
  db.$executeRaw`
    INSERT INTO books.book (name, client_id) VALUES ('readiness', '')
    ON CONFLICT (name, client_id) DO UPDATE SET written_at = clock_timestamp()`.then(
    () => undefined,
    error => `the database cannot be written to (${stateOf(error) ?? 'no answer'})`,
  )

const inTime = (work: Promise<Fault>): Promise<Fault> =>
  untilAborted(work, AbortSignal.timeout(PROBE_TIMEOUT_MS)).catch(() => 'the database did not answer in time')

/** Makes the function that says what is wrong with the database; those who ask at the same time share the response. */
export function createDatabaseProbe(app: DataParts): () => Promise<Fault> {
  let writeFault: Fault
  let writeAt = Number.NEGATIVE_INFINITY
  let asking: Promise<Fault> | undefined
  const lookAndWrite = async (): Promise<Fault> => {
    const fault = await look(app)
    if (fault || app.config.readOnly || performance.now() < writeAt) return fault ?? writeFault
    writeFault = await write(app)
    writeAt = performance.now() + (writeFault ? FAILED_AGAIN_MS : WRITE_AGAIN_MS)
    return writeFault
  }
  return () => {
    asking ??= inTime(lookAndWrite()).finally(() => {
      asking = undefined
    })
    return asking
  }
}
