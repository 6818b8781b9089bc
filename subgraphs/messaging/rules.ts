/** The rules of a message: what may be sent to which recipient, until when, and how it is settled (contract document 2, docs/decisions.md). */

import type { App } from '#core/context/app.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { together } from '#core/errors/faults.ts'
import type { Settlement, TransactionRow } from '#core/transactions/kind.ts'
import { startTransaction } from '#core/transactions/post/validate.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { checkRecipient, findPhone } from '#core/values/phone.ts'
import { readSmsSender } from '#core/values/sms-sender.ts'
import { MESSAGE } from './kind.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'

/** The part of a request that is kept: all but the webhook, which has columns of its own, and `messageId`, which is ignored. */
export type MessageBody = Omit<CreateSendSingleSms, 'webhook' | 'messageId'>

/** Message as a row of its table. */
export type MessageRow = TransactionRow<MessageBody>

/** The messages as REST and the graph call them. */
export type Messages = Transactions<MessageBody, CreateSendSingleSms>

/** Number of a recipient as the directory has it; a short code stays as it is. */
export const numberOf = ({ config }: App, recipient: string): string =>
  findPhone(recipient, config.countryCode) ?? recipient

/** Checks a sender: where messages leave over SMPP, it must be one that an SMPP address can hold. */
const checkSender = ({ config }: App, { sender }: MessageBody) => {
  if (config.smpp && !readSmsSender(sender, config.countryCode))
    throw invalidField(
      'sender',
      'BAD_FORMAT',
      'must be 1 to 11 letters and digits of GSM 03.38, or a number: message centres take no other sender',
    )
}

const checkExpiry = ({ expiryTime }: MessageBody) => {
  if (expiryTime === undefined) return
  const time = Date.parse(expiryTime)
  if (Number.isNaN(time))
    throw invalidField('expiryTime', 'BAD_FORMAT', 'must be a date and time that exists')
  if (time <= Date.now()) throw invalidField('expiryTime', 'IN_THE_PAST', 'must not lie in the past')
}

/**
 * Checks a message against everything but other messages (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT.
 */
export const validateMessage: Validate<CreateSendSingleSms> = async (app, caller, body) => {
  const { webhook, messageId: _ignored, ...message } = body
  const started = together(faults => {
    const start = faults.check(() => startTransaction(app, caller, { ...message, webhook }))
    faults.check(() => checkSender(app, message))
    faults.check(() => checkRecipient('recipient', message.recipient))
    faults.check(() => checkExpiry(message))
    return start!
  })
  const mobileNumber = numberOf(app, message.recipient)
  const line = await app.directory.line('phone', mobileNumber)
  return { ...started, accountNumber: line?.accountNumber, mobileNumber, body: message }
}

const DEFAULT_EXPIRY_MS = 24 * 3_600_000

/**
 * Expiry of a message, after which no delivery is attempted (contract: 24 hours after sending unless the request says
 * otherwise).
 */
export const expiryOf = ({
  body: { expiryTime },
  createdAt,
}: Pick<MessageRow, 'body' | 'createdAt'>): Date =>
  expiryTime === undefined ? new Date(createdAt.getTime() + DEFAULT_EXPIRY_MS) : new Date(expiryTime)

/** Settlement of a message: it is sent unless it has expired; no balance moves. */
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
