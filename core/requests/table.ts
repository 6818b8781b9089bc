/** The table `activity.request`: ended requests as its rows, in a partition for each day. */
import type { Platform } from '../context/app.ts'
import { DAY_MS, dayOf, dropPartitions, makePartitions } from '../data/day-partitions.ts'
import type { RequestFacts } from '../observability/request-facts.ts'
import { newId } from '../values/id.ts'
import { isStorable } from '../values/text.ts'

export const REQUEST_TABLE = 'activity.request'
/** Days whose partitions are made before they begin. */
const AHEAD = 2
/** Longest text of a column that a client's words can reach. */
const MAX_TEXT = 256

/** A request, and how many like it the row stands for. */
export interface LoggedRequest {
  readonly facts: RequestFacts
  weight: number
}

const textOf = (text: string | undefined): string | undefined => {
  const cut = text?.slice(0, MAX_TEXT)
  return cut !== undefined && isStorable(cut) ? cut : undefined
}

/** Code of a refusal that was given none, such as that of the HTTP parser. */
const codeOf = ({ code, status }: RequestFacts): string | undefined =>
  code ?? (status >= 400 ? `HTTP_${status}` : undefined)

/** Operation by its name; an operation of the graph may have none. */
const operationOf = ({ operation, operationId, way, route }: RequestFacts): string | undefined =>
  operation ?? operationId ?? (way === 'GRAPH' || way === 'STREAM' ? undefined : route)

/** A row. A stream may have begun on a day that is deleted already: then it counts to the first one that is kept. */
const toRow = ({ facts, weight }: LoggedRequest, since: number) => {
  const at = new Date(Math.max(facts.at, since))
  return {
    id: newId(at),
    at,
    client: textOf(facts.principal?.clientId),
    via: facts.way,
    operation: textOf(operationOf(facts)),
    status: facts.status,
    code: textOf(codeOf(facts)),
    reason: textOf(facts.reason),
    field: textOf(facts.field),
    ms: Math.round(facts.durationMs * 10) / 10,
    transaction: facts.transactionId,
    correlator: facts.correlator,
    weight,
  }
}

type RequestRow = ReturnType<typeof toRow>

const insert = (
  { db, records = db }: Pick<Platform, 'db' | 'records'>,
  rows: readonly RequestRow[],
): Promise<unknown> =>
  records.$executeRaw`
    INSERT INTO activity.request (id, at, client_id, via, operation, status, code, reason, field, duration_ms,
      transaction_id, correlator, weight)
    SELECT r.id, r.at, r.client, r.via, r.operation, r.status, r.code, r.reason, r.field, r.ms, r.transaction, r.correlator,
      r.weight
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, at timestamptz, client text, via text,
      operation text, status smallint, code text, reason text, field text, ms real, transaction uuid, correlator text,
      weight int)
    ON CONFLICT DO NOTHING`

/** The table with the partitions that this process has made of it. */
export class RequestTable {
  readonly #app: Pick<Platform, 'db' | 'log' | 'records'>
  readonly #days: number
  readonly #partitions = new Set<number>()

  /** @param days for which requests are kept. */
  constructor(app: Pick<Platform, 'db' | 'log' | 'records'>, days: number) {
    this.#app = app
    this.#days = days
  }

  /** Inserts a row for each entry by one statement. @throws what the database throws: nothing is inserted then. */
  async insert(entries: readonly LoggedRequest[]): Promise<void> {
    const since = (dayOf(Date.now()) - this.#days) * DAY_MS
    const rows = entries.map(entry => toRow(entry, since))
    await this.#make(rows.map(({ at }) => dayOf(at.getTime())))
    await insert(this.#app, rows)
  }

  /** Makes the partitions of the next days, and drops those of days that have expired. */
  async keepUp(): Promise<void> {
    const today = dayOf(Date.now())
    await this.#make(Array.from({ length: AHEAD + 1 }, (_, ahead) => today + ahead))
    const dropped = await dropPartitions(this.#app.db, REQUEST_TABLE, today - this.#days)
    if (dropped > 0) this.#app.log.info({ days: dropped }, 'expired requests are deleted')
  }

  async #make(days: readonly number[]): Promise<void> {
    const missing = new Set(days).difference(this.#partitions)
    if (missing.size === 0) return
    await makePartitions(this.#app.db, REQUEST_TABLE, [...missing])
    for (const day of missing) this.#partitions.add(day)
  }
}
