/** What may be sent, to whom and until when: the rules of a message (contract document 2, docs/decisions.md). */
import type { App } from '../shared/app.ts'
import type { Caller } from '../shared/caller.ts'
import type { Draft } from '../shared/transactions/decide.ts'
import { startDraft } from '../shared/transactions/draft.ts'
import { checkRecipient, findPhone } from '../shared/values/phone.ts'
import { expired, notAnInstant } from './errors.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'

/** What is kept of a request: all but the webhook, which has columns of its own, and `messageId`, which is ignored. */
export type MessageBody = Omit<CreateSendSingleSms, 'webhook' | 'messageId'>

/** A recipient that is a possible number as the directory would have it; a short code stays as it is. */
export const numberOf = ({ config }: App, recipient: string): string =>
  findPhone(recipient, config.countryCode) ?? recipient

const checkExpiry = ({ expiryTime }: MessageBody) => {
  if (expiryTime === undefined) return
  const time = Date.parse(expiryTime)
  if (Number.isNaN(time)) throw notAnInstant()
  if (time <= Date.now()) throw expired()
}

/**
 * Checks a message against everything but other messages (those are met under the book's lock).
 * @throws ServiceError INVALID_ARGUMENT.
 */
export const draftMessage = async (app: App, caller: Caller, body: CreateSendSingleSms): Promise<Draft> => {
  const { webhook, messageId: _ignored, ...message } = body
  const draft = startDraft(app, caller, '', { ...message, webhook })
  checkRecipient('recipient', message.recipient)
  checkExpiry(message)
  const mobileNumber = numberOf(app, message.recipient)
  const line = await app.directory.line('phone', mobileNumber)
  return { ...draft, accountNumber: line?.accountNumber, mobileNumber, body: message }
}
