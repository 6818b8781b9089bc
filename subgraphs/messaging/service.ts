/** Messages: what both doors call. */
import type { App } from '../shared/app.ts'
import type { Caller } from '../shared/caller.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import type { Settlement } from '../shared/transactions/settle.ts'
import type { TransactionStore } from '../shared/transactions/store.ts'
import { MESSAGE } from './kind.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'
import { draftMessage, type MessageBody } from './rules.ts'

/** A message as it stands in its table. */
export type MessageRow = TransactionRow<MessageBody>

/** What both doors call. */
export interface MessageService {
  /** Accepts a message; resolves when it is committed (contract: `POST /v1/unified-messaging/send-single`). */
  sendSms(caller: Caller, body: CreateSendSingleSms): Promise<MessageRow>
  getMessage(caller: Caller, otlTransactionId: string): Promise<MessageRow>
}

const DEFAULT_EXPIRY_MS = 24 * 3_600_000

/** After this time delivery is not attempted (contract: 24 hours after sending unless the request says otherwise). */
export const expiryOf = ({ body: { expiryTime }, createdAt }: MessageRow): Date =>
  expiryTime === undefined ? new Date(createdAt.getTime() + DEFAULT_EXPIRY_MS) : new Date(expiryTime)

/** How a message is settled: it is sent unless its time is over; no balance moves. */
export const settlement: Settlement<MessageBody> = {
  kind: MESSAGE,
  order: row => ({
    transactionId: row.id,
    operation: 'sendSms',
    mobileNumber: row.mobileNumber!,
    expiresAt: expiryOf(row),
  }),
  statusFor: { done: 'sent', declined: 'failed', failed: 'failed', expired: 'expired' },
  done: 'The message was sent',
}

/** Messages in this process. */
export const createMessageService = (app: App, store: TransactionStore<MessageBody>): MessageService => ({
  sendSms: async (caller, body) => store.post(caller, await draftMessage(app, caller, body)),
  getMessage: store.get,
})
