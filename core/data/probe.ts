/** Probes of the database: it responds, and takes writes; a standby hears from its primary. */
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

/** Makes a function whose calls share a probe that is under way, however long it takes: no more than one statement waits. */
const sharing = (probe: () => Promise<Fault>): DatabaseProbe => {
  let probing: Promise<Fault> | undefined
  return () => {
    probing ??= probe().finally(() => {
      probing = undefined
    })
    return probing
  }
}

/**
 * Makes the probe. Calls that come while a probe runs share its outcome.
 * @param writeAgainMs for how long the outcome of a write counts, in milliseconds.
 */
export function createDatabaseProbe(options: ProbeOptions, writeAgainMs = WRITE_AGAIN_MS): DatabaseProbe {
  let writeFault: Fault
  let writeAt = Number.NEGATIVE_INFINITY
  const probe = sharing(async () => {
    const fault = await look(options)
    if (fault || options.config.readOnly || performance.now() < writeAt) return fault ?? writeFault
    writeFault = await write(options)
    writeAt = performance.now() + (writeFault ? Math.min(FAILED_AGAIN_MS, writeAgainMs) : writeAgainMs)
    return writeFault
  })
  return () =>
    withTimeout<Fault>(probe(), PROBE_TIMEOUT_MS, () => ({ reason: 'the database did not answer in time' }))
}

/** Longest silence in seconds: a primary says something each half of its `wal_sender_timeout`, which is a minute unless set. */
const LONGEST_SILENCE = 60
const LINK_TIMEOUT_MS = 500

interface Link {
  readonly isStandby: boolean
  /** Whether something receives the log; what it receives is told to roles with the rights of `pg_monitor` alone. */
  readonly isReceiving: boolean
  readonly silentSeconds: number | null
}

const readLink = async (db: Statements): Promise<Link> => {
  const [link] = await db.$lookUp<Link[]>`
    SELECT pg_is_in_recovery() AS "isStandby", r.pid IS NOT NULL AS "isReceiving",
      extract(epoch FROM clock_timestamp() - r.last_msg_receipt_time)::float8 AS "silentSeconds"
    FROM (SELECT 1) AS one LEFT JOIN pg_catalog.pg_stat_wal_receiver r ON TRUE`
  return link!
}

const lookAtLink = async (db: Statements): Promise<Fault> => {
  const link = await readLink(db).catch(() => undefined)
  if (!link?.isStandby) return undefined
  if (link.isReceiving && (link.silentSeconds ?? 0) < LONGEST_SILENCE) return undefined
  return { reason: 'the standby receives nothing from the primary' }
}

/** Makes the probe of a standby's link to its primary. It finds nothing where the database is none or away. */
export function createLinkProbe(db: Statements): DatabaseProbe {
  const probe = sharing(() => lookAtLink(db))
  return () => withTimeout<Fault>(probe(), LINK_TIMEOUT_MS, () => undefined)
}
