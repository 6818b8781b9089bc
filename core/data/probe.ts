/** Whether the database can be used: it answers, and takes what a write brings. */

import { untilAborted } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import { stateOf } from './database-errors.ts'
import type { Reader, Statements, Writer } from './db.ts'

const PROBE_TIMEOUT_MS = 2_000
/** Readiness is asked for all the time, by everyone who sends requests. */
const WRITE_AGAIN_MS = 1_000
const FAILED_AGAIN_MS = 500

/** A fault of the database, as found by using it. */
export interface DatabaseFault {
  /** A clause for the operator. */
  readonly reason: string
  /** The SQLSTATE with which a write was refused; undefined where no answer came. */
  readonly state?: string
}

type Fault = DatabaseFault | undefined

/** Says what is wrong with the database, within two seconds. */
export type DatabaseProbe = () => Promise<Fault>

export interface ProbeParts {
  readonly config: Pick<Config, 'readOnly'>
  readonly reader: Reader
  readonly writer: Writer
}

/** The reasons that the operator is told, by SQLSTATE. */
const FAULTS: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '53100': 'the database has no space left',
  '57014': 'the database did not answer in time',
  '08007': 'the database did not answer in time',
  '08006': 'the database cannot be reached',
}

const writeFaultOf = (error: object): DatabaseFault => {
  const state = stateOf(error)
  const reason = FAULTS[state ?? ''] ?? 'the database cannot be written to'
  return { reason: `${reason} (${state ?? 'no answer'})`, state }
}

const look = ({ reader }: ProbeParts): Promise<Fault> =>
  reader.$queryRaw`SELECT 1 AS one`.then(
    () => undefined,
    () => ({ reason: 'the database cannot be reached' }),
  )

/**
 * A row of its own, which no writer waits for, and 16 KiB that no page of a table has room for, so that the disk has to give
 * some: a row that is written over fits where it was although the disk is full. Large objects need no table, and their pages
 * go back to the disk with each vacuum, since none of them stays.
 */
const writeSome = async (tx: Statements): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO books.book (name, client_id) VALUES ('readiness', '')
    ON CONFLICT (name, client_id) DO UPDATE SET written_at = clock_timestamp()`
  await tx.$queryRaw`
    SELECT lo_unlink(lo_from_bytea(0, decode(string_agg(md5(random()::text), ''), 'hex'))) AS done
    FROM generate_series(1, 1024)`
}

const write = ({ writer }: ProbeParts): Promise<Fault> =>
  writer.transaction(writeSome, PROBE_TIMEOUT_MS).then(() => undefined, writeFaultOf)

const inTime = (work: Promise<Fault>): Promise<Fault> =>
  untilAborted(work, AbortSignal.timeout(PROBE_TIMEOUT_MS)).catch(() => ({
    reason: 'the database did not answer in time',
  }))

/**
 * Makes the function that says what is wrong with the database, within two seconds. Calls that come while it is being found
 * out share the answer, however long that takes: there is never more than one statement under way.
 * @param writeAgainMs for how long what became of a write holds, in milliseconds.
 */
export function createDatabaseProbe(app: ProbeParts, writeAgainMs = WRITE_AGAIN_MS): DatabaseProbe {
  let writeFault: Fault
  let writeAt = Number.NEGATIVE_INFINITY
  let asking: Promise<Fault> | undefined
  const lookAndWrite = async (): Promise<Fault> => {
    const fault = await look(app)
    if (fault || app.config.readOnly || performance.now() < writeAt) return fault ?? writeFault
    writeFault = await write(app)
    writeAt = performance.now() + (writeFault ? Math.min(FAILED_AGAIN_MS, writeAgainMs) : writeAgainMs)
    return writeFault
  }
  return () => {
    asking ??= lookAndWrite().finally(() => {
      asking = undefined
    })
    return inTime(asking)
  }
}
