/** Messages: what REST and GraphQL call. */

import type { App } from '#core/context/app.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { MESSAGE } from './kind.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'
import { type MessageBody, validateMessage } from './rules.ts'

/** A message as it stands in its table. */
export type MessageRow = TransactionRow<MessageBody>

/** What REST and GraphQL call; create is the contract's `POST /v1/unified-messaging/send-single`. */
export type MessageService = TransactionService<MessageBody, CreateSendSingleSms>

const DEFAULT_EXPIRY_MS = 24 * 3_600_000

/** After this time delivery is not attempted (contract: 24 hours after sending unless the request says otherwise). */
export const expiryOf = ({
  body: { expiryTime },
  createdAt,
}: Pick<MessageRow, 'body' | 'createdAt'>): Date =>
  expiryTime === undefined ? new Date(createdAt.getTime() + DEFAULT_EXPIRY_MS) : new Date(expiryTime)

/** How a message is settled: it is sent unless its time is over; no balance moves. */
export const settlement: Settlement<MessageBody> = {
  kind: MESSAGE,
  expiresAt: expiryOf,
  statusFor: {
    done: 'sent',
    declined: 'failed',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'failed',
    invalid: 'error',
  },
  done: 'The message was sent',
}

/** Messages in this process. */
export const createMessageService = (app: App, store: TransactionStore<MessageBody>): MessageService =>
  createTransactionService(store, (caller, body) => validateMessage(app, caller, body))
