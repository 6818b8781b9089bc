/** Events as all ways of following bring them, and what can go wrong on the way. */

/** Kinds of transaction. */
export type TransactionKind = 'PAYMENT' | 'RECHARGE' | 'MESSAGE' | 'REWARD' | 'REDEMPTION'

/** Types of event; the last two are of a partner's tools, and come by long poll. */
export type EventType = 'PAYMENT_COMPLETED' | 'PAYMENT_FAILED' | 'STATEMENT_READY' | 'ENDPOINT_HEALTH_CHANGED'

/** A transaction that reached its final status, or was taken back after. */
export interface FollowedEvent {
  /** Place in the event log, the same over every way. */
  readonly cursor: string
  /** The same as in the webhook of this event. */
  readonly eventid: string
  readonly eventType: EventType
  readonly eventTime: string
  /** Kind of the transaction; a statement or an endpoint by long poll alone. */
  readonly kind: TransactionKind | 'STATEMENT' | 'ENDPOINT'
  /** Absent where the event is of no transaction. */
  readonly status?: 'succeeded' | 'failed'
  /** One sentence; on failure the reason. */
  readonly description: string
  /** The contract's id, whatever its name there; empty where the event is of no transaction. */
  readonly transactionId: string
}

/** Narrows what is followed, as `EventFilter` of the graph; over long poll by `kinds` alone. */
export interface FollowFilter {
  readonly kinds?: readonly FollowedEvent['kind'][]
  readonly id?: string
  readonly mobileNumber?: string
  readonly customerAccountNumber?: string
  readonly eventTypes?: readonly EventType[]
}

/** One connection of a way of following. It ends, or throws `Interruption`, where another one is to go on. */
export interface Way<Event extends FollowedEvent> {
  /**
   * The cursor to begin after.
   * @param from `now`, or the oldest event that is kept.
   * @returns the first event too, where it had to be read to know a cursor.
   */
  begin(from: 'now' | 'oldest', signal: AbortSignal): Promise<{ after: string | undefined; first?: Event }>
  /** Events after a cursor. @param onOpen is called once the server has agreed. */
  open(after: string | undefined, signal: AbortSignal, onOpen: () => void): AsyncGenerator<Event, void>
}

/** A connection that was lost, after which another one goes on. */
export class Interruption extends Error {
  /** The server did not accept the token. */
  readonly refusedToken: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { cause?: unknown; refusedToken?: string; retryAfterMs?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Interruption'
    this.refusedToken = options.refusedToken
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Codes after which the same may succeed later; all others need another request, or another client. */
const PASSING = ['SERVICE_UNAVAILABLE', 'SERVER_ERROR', 'REQUEST_TIMEOUT_EXCEEDED']

/** Whether a code of the catalogue passes by itself. */
export const isPassingCode = (code: string): boolean => PASSING.includes(code)

/** Whether a status of HTTP passes by itself. */
export const isPassingStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500
