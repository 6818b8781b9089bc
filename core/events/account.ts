/**
 * Events of an account: what a client wants to hear of beside its transactions. They stand in the event log like all
 * others, so that one cursor follows everything, and are sent to the client's registered endpoints.
 */
import type { Statements } from '../data/db.ts'
import { newId } from '../values/id.ts'
import { lockEventLog, writeEvents } from './append.ts'

/** Kinds of these events, with the name that the id of each has in its `eventDetail`. */
export const ACCOUNT_KINDS = { STATEMENT: 'statementId', ENDPOINT: 'changeId' } as const

export type AccountKind = keyof typeof ACCOUNT_KINDS

/** Their names, as they stand in the log. */
export const ACCOUNT_KIND_NAMES: readonly string[] = Object.keys(ACCOUNT_KINDS)

/** Types of the events of transactions (contract document 1, "Event"); queries of transactions' events see no others. */
export const TRANSACTION_EVENT_TYPES: readonly string[] = ['PAYMENT_COMPLETED', 'PAYMENT_FAILED']

/** An event of an account, before it has its number. */
export interface AccountEvent {
  readonly kind: AccountKind
  readonly eventType: 'STATEMENT_READY' | 'ENDPOINT_HEALTH_CHANGED'
  readonly clientId: string
  /** Id of what it is about; a new one where that has none. */
  readonly id?: string
  /** One sentence. */
  readonly description: string
  /** Further members of `eventDetail`. */
  readonly detail: object
}

/** Appends events of accounts in the caller's transaction, with their deliveries. */
export async function appendAccountEvents(tx: Statements, events: readonly AccountEvent[]): Promise<void> {
  if (events.length === 0) return
  const log = await lockEventLog(tx)
  const rows = events.map(({ id = newId(), ...event }) => ({
    ...event,
    eventid: newId(),
    eventTime: log.now,
    transactionId: id,
    operationStatus: event.eventType,
    status: 'succeeded' as const,
    clientCorrelatorId: null,
    paymentDate: null,
    accountNumber: null,
    mobileNumber: null,
    webhook: { deliveryId: newId(), url: null, origin: null, token: null },
  }))
  await writeEvents(tx, log, rows)
}
