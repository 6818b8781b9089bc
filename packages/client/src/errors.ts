/** Refusals of the server: the contract's envelope over REST, an error of the graph, or an OAuth failure. */

/** Fields of the contract's `ErrorInfo`, as far as a response has them. */
interface ErrorInfo {
  readonly code?: unknown
  readonly message?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
}

export interface RefusalOptions {
  /** HTTP status, or that of the error's code. */
  readonly status: number
  /** Code of the contract's catalogue, such as `INVALID_ARGUMENT`, or of RFC 6749. */
  readonly code: string
  /** The id by which the operator finds the request. */
  readonly correlator?: string | undefined
  /** Path of the first transaction, where a correlator is used again. */
  readonly location?: string | undefined
  /** Time to wait before the next try, in milliseconds, where the server proposes one. */
  readonly retryAfterMs?: number | undefined
}

/** Thrown where the server refuses; `code` and `status` are those of its response. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly correlator: string | undefined
  readonly location: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, code, correlator, location, retryAfterMs }: RefusalOptions) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.correlator = correlator
    this.location = location
    this.retryAfterMs = retryAfterMs
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Longest wait in milliseconds that a `Retry-After` may ask for; more is taken for a mistake. */
const MAX_RETRY_AFTER_MS = 3_600_000

/** Reads `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3). */
export const retryAfterOf = (headers: Headers, now = Date.now()): number | undefined => {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : undefined
}

/** Makes the error of a response. @param body its JSON, or undefined where it had none. */
export function refusalOf({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown): Refusal {
  const info = (typeof body === 'object' && body !== null ? body : {}) as ErrorInfo
  const code = text(info.code) ?? text(info.error) ?? `HTTP_${status}`
  const message = text(info.message) ?? text(info.error_description) ?? 'no reason was given'
  return new Refusal(`${status} ${code}: ${message}`, {
    status,
    code,
    correlator: headers.get('x-correlator') ?? undefined,
    location: headers.get('location') ?? undefined,
    retryAfterMs: retryAfterOf(headers),
  })
}

/** JSON of a response; undefined where it is none. */
export const jsonOf = async (response: Response): Promise<unknown> => {
  try {
    return JSON.parse(await response.text())
  } catch {
    return undefined
  }
}
