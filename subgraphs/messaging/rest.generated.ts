/** Generated from schema/ by `npm run codegen`; do not edit. */

export interface Contract {

}
/**
 * A request to send one SMS.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreateSendSingleSms".
 */
export interface CreateSendSingleSms {
/**
 * Your unique id of this request. Repeat it when you send the request again after a communication failure; a repeated one is refused, so that the message is not sent twice.
 */
clientCorrelatorId: string
webhook?: Webhook
/**
 * Id of the message. We make our own; a value you supply is ignored.
 */
messageId?: string
/**
 * Short code or sender name that the recipient sees.
 */
sender: string
/**
 * The recipient's phone number in E.164 with country code, digits only, without a leading +.
 */
recipient: string
/**
 * The text.
 */
smsText: string
/**
 * After this time we no longer try to deliver. It must not lie in the past. Without it the message expires 24 hours after sending.
 */
expiryTime?: string
/**
 * Ask for a delivery report; not stated means false. Not implemented yet, so it has no effect.
 */
enableDeliveryReport?: boolean
/**
 * True to show the text on the screen at once, as a flash SMS; not stated means false.
 */
flashMessage?: boolean
/**
 * How urgent the message is; 1 is the most urgent, and not stated means 10. We may ignore it.
 */
priority?: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10)
}
/**
 * Where delivery reports are to be sent one day. It is accepted and not called yet.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Webhook".
 */
export interface Webhook {
/**
 * Base of your callback address.
 */
notificationUrl: string
/**
 * The token your callback endpoint expects, printable ASCII; an empty one counts as none. We keep it encrypted and never return it.
 */
notificationAuthToken?: string
}
/**
 * The message just accepted.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreatedSendSingleSms".
 */
export interface CreatedSendSingleSms {
/**
 * Id of the message, given by us. Quote it to ask about the message.
 */
otlTransactionId: string
/**
 * Where the message stands. It is accepted at first.
 */
transactionOperationStatus: ("accepted" | "sent" | "expired" | "failed" | "error")
/**
 * How many messages the request held.
 */
smsCount?: number
/**
 * In how many parts the text travels. Each part may lower the credit balance by 1.
 */
smsParts?: number
}
/**
 * The body of every answer that is not a success.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "ErrorInfo".
 */
export interface ErrorInfo {
/**
 * What went wrong, for your program to act on.
 */
code: ("INVALID_ARGUMENT" | "UNAUTHORIZED" | "PERMISSION_DENIED" | "ALREADY_EXISTS" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT_EXCEEDED")
/**
 * The HTTP status of the answer, as text.
 */
status: string
/**
 * What went wrong, for a person to read. When one field is to blame, the text starts with its path. Do not parse it.
 */
message: string
}
