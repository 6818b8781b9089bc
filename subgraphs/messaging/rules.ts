/** What may be sent, to whom and until when: the rules of a message (contract document 2, docs/decisions.md). */

import type { Caller } from '#core/access/caller.ts'
import type { App } from '#core/context/app.ts'
import { together } from '#core/errors/faults.ts'
import { type NewTransaction, startTransaction } from '#core/transactions/new-transaction.ts'
import { checkRecipient, findPhone } from '#core/values/phone.ts'
import { readSmsSender } from '#core/values/sms-sender.ts'
import { expired, noSender, notAnInstant } from './errors.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'

/** What is kept of a request: all but the webhook, which has columns of its own, and `messageId`, which is ignored. */
export type MessageBody = Omit<CreateSendSingleSms, 'webhook' | 'messageId'>

/** A recipient that is a possible number as the directory would have it; a short code stays as it is. */
export const numberOf = ({ config }: App, recipient: string): string =>
  findPhone(recipient, config.countryCode) ?? recipient

/** Where messages leave over SMPP, the sender is what an SMPP address can hold. */
const checkSender = ({ config }: App, { sender }: MessageBody) => {
  if (config.smpp && !readSmsSender(sender, config.countryCode)) throw noSender()
}

const checkExpiry = ({ expiryTime }: MessageBody) => {
  if (expiryTime === undefined) return
  const time = Date.parse(expiryTime)
  if (Number.isNaN(time)) throw notAnInstant()
  if (time <= Date.now()) throw expired()
}

/**
 * Checks a message against everything but other messages (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT.
 */
export const validateMessage = async (
  app: App,
  caller: Caller,
  body: CreateSendSingleSms,
): Promise<NewTransaction> => {
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
