/** Rows of `activity.request`: ended requests as the request log writes them. */
import type { Platform } from '../context/app.ts'
import type { RequestFacts } from '../observability/request-facts.ts'
import { newId } from '../values/id.ts'
import { isStorable } from '../values/text.ts'

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
export const toRequestRow = ({ facts, weight }: LoggedRequest, since: number) => {
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

type RequestRow = ReturnType<typeof toRequestRow>

/** Inserts rows by one statement; a row that is there already stays as it is. */
export const insertRequests = ({ db }: Pick<Platform, 'db'>, rows: readonly RequestRow[]): Promise<unknown> =>
  db.$executeRaw`
    INSERT INTO activity.request (id, at, client_id, via, operation, status, code, reason, field, duration_ms,
      transaction_id, correlator, weight)
    SELECT r.id, r.at, r.client, r.via, r.operation, r.status, r.code, r.reason, r.field, r.ms, r.transaction, r.correlator,
      r.weight
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, at timestamptz, client text, via text,
      operation text, status smallint, code text, reason text, field text, ms real, transaction uuid, correlator text,
      weight int)
    ON CONFLICT DO NOTHING`
