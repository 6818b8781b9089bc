/** The attempts of a delivery as they are kept on its row: written with each outcome, deleted with the delivery. */
import { Prisma, type Reader } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'

/** How one attempt ended. */
export interface LoggedAttempt {
  /** When it began. */
  readonly at: Date
  /** The HTTP status; null when there was no response. */
  readonly status: number | null
  /** From looking up the name to the end of the response, in whole milliseconds. */
  readonly durationMs: number
  /** Why it failed, at most 1 KiB, without secrets; null when it did not. */
  readonly error: string | null
}

/** Three rounds of eight; of a delivery that is redelivered more often the newest are kept. */
export const MAX_ATTEMPTS_KEPT = 24

/**
 * The log with one attempt more, without its oldest where it is full.
 * @param log the column.
 * @param attempt JSON with the fields of `LoggedAttempt`.
 */
export const withAttempt = (log: Prisma.Sql, attempt: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN jsonb_array_length(${log}) < ${MAX_ATTEMPTS_KEPT}::int THEN ${log} ELSE ${log} - 0 END
    || jsonb_build_array(${attempt})`

/** What the logs of one statement hold together at the most: those of a page of 200 fit. */
const MAX_BYTES = 32 * 1_024 * 1_024

interface LogRow {
  readonly id: string
  /** Null beyond `MAX_BYTES`. */
  readonly log: (Omit<LoggedAttempt, 'at'> & { readonly at: string })[] | null
}

const readRows = (db: Reader, ids: readonly string[]) => db.$queryRaw<LogRow[]>`
  SELECT l.id, CASE WHEN l.until <= ${MAX_BYTES}::bigint THEN l.log END AS log FROM (
    SELECT t.id, t.attempt_log AS log, sum(octet_length(t.attempt_log::text)) OVER (ORDER BY t.position) AS until
    FROM events.delivery t WHERE t.id = ANY (${ids}::uuid[])) l`

const toAttempts = ({ log }: LogRow): LoggedAttempt[] | Error =>
  log?.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt })) ??
  invalidField('attemptLog', 'TOO_MANY', 'is too large for so many deliveries at once; ask for fewer of them')

/** The logs of deliveries in the order of their ids, each the oldest attempt first; an error for what does not fit. */
export async function readAttemptLogs(
  db: Reader,
  ids: readonly string[],
): Promise<(LoggedAttempt[] | Error)[]> {
  const rows = new Map((await readRows(db, ids)).map(row => [row.id, toAttempts(row)]))
  return ids.map(id => rows.get(id) ?? [])
}
