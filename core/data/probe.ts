/** The probe of the database: it responds, and takes writes. */
import { withTimeout } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import { stateOf } from './database-errors.ts'
import type { Db, Statements } from './db.ts'

const PROBE_TIMEOUT_MS = 2_000
/** For how long a write that succeeded counts, in milliseconds: load balancers request readiness all the time. */
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

/** Resolves with the fault of the database, if it has one, within two seconds. */
export type DatabaseProbe = () => Promise<Fault>

interface ProbeOptions {
  readonly config: Pick<Config, 'readOnly'>
  readonly db: Db
}

/** The reasons that are reported to the operator, by SQLSTATE. */
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

const look = ({ db }: ProbeOptions): Promise<Fault> =>
  db.$queryRaw`SELECT 1 AS one`.then(
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
    INSERT INTO events.book (name, client_id, written_at) VALUES ('readiness', '', statement_timestamp())
    ON CONFLICT (name, client_id) DO UPDATE SET written_at = excluded.written_at`
  await tx.$queryRaw`
    SELECT lo_unlink(lo_from_bytea(0, decode(string_agg(md5(random()::text), ''), 'hex'))) AS done
    FROM generate_series(1, 1024)`
}

const write = ({ db }: ProbeOptions): Promise<Fault> =>
  db.$transaction(writeSome, { timeout: PROBE_TIMEOUT_MS }).then(() => undefined, writeFaultOf)

/**
 * Makes the probe. Calls that come while a probe runs share its outcome, however long that takes: there is never more than
 * one statement in flight.
 * @param writeAgainMs for how long the outcome of a write counts, in milliseconds.
 */
export function createDatabaseProbe(options: ProbeOptions, writeAgainMs = WRITE_AGAIN_MS): DatabaseProbe {
  let writeFault: Fault
  let writeAt = Number.NEGATIVE_INFINITY
  let probing: Promise<Fault> | undefined
  const lookAndWrite = async (): Promise<Fault> => {
    const fault = await look(options)
    if (fault || options.config.readOnly || performance.now() < writeAt) return fault ?? writeFault
    writeFault = await write(options)
    writeAt = performance.now() + (writeFault ? Math.min(FAILED_AGAIN_MS, writeAgainMs) : writeAgainMs)
    return writeFault
  }
  return () => {
    probing ??= lookAndWrite().finally(() => {
      probing = undefined
    })
    return withTimeout<Fault>(probing, PROBE_TIMEOUT_MS, () => ({
      reason: 'the database did not answer in time',
    }))
  }
}
