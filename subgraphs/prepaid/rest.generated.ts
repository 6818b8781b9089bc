/** Generated from schema/ by `npm run codegen`; do not edit. */

export interface Contract {

}
/**
 * A request to post a recharge.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreateRecharge".
 */
export interface CreateRecharge {
rechargeTransaction: RechargeTransaction
webhook?: Webhook
}
/**
 * The recharge as you describe it - for which number, how much, and under which of your references.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeTransaction".
 */
export interface RechargeTransaction {
/**
 * Your unique id of this request. Repeat it when you send the request again after a communication failure, so that the balance is not recharged twice.
 */
clientCorrelatorId: string
/**
 * Your own reference of the recharge.
 */
referenceCode: string
/**
 * The number to recharge, an active prepaid one. E.164 with country code, with or without a leading +; eight digits are read as a national number. It may stand in rechargeInfo.mobileNumber instead. One of the two is required unless your access token is bound to a number: then both may be left out, mean that number, and are not in what you get back either.
 */
mobileNumber?: string
rechargeInfo?: RechargeInfo
}
/**
 * What is recharged, and how. The amount stands either in rechargeInformation or, in the flat form, in the fields of the same names beside it. One of the two is needed; if you give both, they must say the same.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeInfo".
 */
export interface RechargeInfo {
rechargeInformation?: RechargeInformation
rechargeMetaData?: RechargeMetaData
/**
 * The amount broken down into items.
 * 
 * @minItems 1
 * @maxItems 100
 */
amountDetails?: RechargeItem[]
/**
 * The number to recharge where the transaction's own mobileNumber is left out. If you give both, they must be the same number.
 */
mobileNumber?: {
/**
 * The number in E.164 with country code, with or without a leading +.
 */
mobileNumber?: string
}
/**
 * The flat form of rechargeInformation.amount. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
 */
amount?: number
/**
 * The flat form of rechargeInformation.currency, an ISO 4217 code. It must be one your contract allows; OMR unless agreed otherwise.
 */
currency?: string
/**
 * The flat form of rechargeInformation.description.
 */
description?: string
/**
 * The flat form of rechargeInformation.isVatIncluded; not stated means false.
 */
isVatIncluded?: boolean
/**
 * The flat form of rechargeInformation.vatAmount.
 */
vatAmount?: number
/**
 * The flat form of rechargeInformation.isTaxIncluded; not stated means false.
 */
isTaxIncluded?: boolean
/**
 * The flat form of rechargeInformation.taxAmount.
 */
taxAmount?: number
}
/**
 * The amount to recharge.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeInformation".
 */
export interface RechargeInformation {
/**
 * The amount to recharge. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
 */
amount: number
/**
 * ISO 4217 code of the amount. It must be one your contract allows; OMR unless agreed otherwise.
 */
currency: string
/**
 * Text for information and billing.
 */
description: string
/**
 * True when the amount includes VAT; not stated means false.
 */
isVatIncluded?: boolean
/**
 * The VAT amount, for information.
 */
vatAmount?: number
/**
 * True when the amount includes tax; not stated means false.
 */
isTaxIncluded?: boolean
/**
 * The tax amount you charged, for information.
 */
taxAmount?: number
}
/**
 * Circumstances of the recharge - merchant, fee, channel, method.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeMetaData".
 */
export interface RechargeMetaData {
/**
 * Name of the actual merchant when you post on behalf of one.
 */
merchantName?: string
/**
 * Identifier of the actual merchant.
 */
merchantIdentifier?: string
/**
 * Percentage of the amount that you receive.
 */
fee?: number
/**
 * ISO 4217 code of the currency in which the fee is expressed.
 */
currency?: string
/**
 * Category of the service or product.
 */
purchaseCategoryCode?: string
/**
 * Channel through which the customer came, for instance WAP, Web or SMS.
 */
channel?: string
/**
 * Your identifier of the service.
 */
serviceId?: string
/**
 * Together with serviceId identifies the product.
 */
productId?: string
/**
 * Number of the invoice this belongs to.
 */
invoiceNumber?: string
/**
 * How the customer paid you.
 */
paymentMethod?: ("cash" | "credit_card" | "debit_card")
creditCardDetails?: CreditCardDetails
}
/**
 * The card with which the customer paid you.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreditCardDetails".
 */
export interface CreditCardDetails {
/**
 * The card number, a valid one unless dummy values were agreed with you. It is kept and returned masked: first six and last four digits.
 */
cardNumber?: string
/**
 * Name on the card. A dummy value is allowed when agreed.
 */
cardHolderName?: string
/**
 * Brand of the card.
 */
cardType?: ("Visa" | "MasterCard" | "AmericanExpress" | "Discover")
/**
 * Month in which the card expires. A dummy value is allowed when agreed.
 */
expiryMonth?: number
/**
 * Year in which the card expires.
 */
expiryYear?: number
/**
 * Security code of the card. It is never stored, never logged and never returned.
 */
cvv?: string
/**
 * The authorization code the card issuer gave for this transaction.
 */
authorizationCode: string
}
/**
 * One item of the amount to recharge.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeItem".
 */
export interface RechargeItem {
/**
 * The amount of this item. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
 */
amount: number
/**
 * ISO 4217 code of the amount. It must be one your contract allows; OMR unless agreed otherwise.
 */
currency: string
/**
 * Text for information and billing.
 */
description: string
/**
 * True when the amount includes VAT; not stated means false.
 */
isVatIncluded?: boolean
/**
 * The VAT amount, for information.
 */
vatAmount?: number
/**
 * True when the amount includes tax; not stated means false.
 */
isTaxIncluded?: boolean
/**
 * The tax amount you charged, for information.
 */
taxAmount?: number
}
/**
 * Where to send the outcome. In answers only the address is shown, and analyst clients do not see it.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Webhook".
 */
export interface Webhook {
/**
 * Base of your callback address; events go to <notificationUrl>/eventNotifications. It must be an https address that is reachable from the public internet, without user name or password in it.
 */
notificationUrl: string
/**
 * The token your callback endpoint expects, printable ASCII; an empty one counts as none. We send it there as a bearer token, keep it encrypted, and never return it.
 */
notificationAuthToken?: string
}
/**
 * A recharge with its present status.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Recharge".
 */
export interface Recharge {
/**
 * Id of the recharge, given by us.
 */
rechargeId: string
rechargeTransaction: RechargeTransaction
/**
 * Where the recharge stands. It starts as processing and ends as succeeded, denied (refused) or failed (could not be carried out).
 */
transactionOperationStatus?: ("processing" | "denied" | "succeeded" | "failed")
/**
 * When we recorded the recharge.
 */
rechargeCreationDate?: string
/**
 * When the recharge was effectively performed. Absent until it succeeds.
 */
rechargeDate?: string
webhook?: Webhook
}
/**
 * The recharge just accepted; the same fields as Recharge.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RechargeCreated".
 */
export interface RechargeCreated {
/**
 * Id of the recharge, given by us.
 */
rechargeId: string
rechargeTransaction: RechargeTransaction
/**
 * Where the recharge stands. It starts as processing and ends as succeeded, denied (refused) or failed (could not be carried out).
 */
transactionOperationStatus?: ("processing" | "denied" | "succeeded" | "failed")
/**
 * When we recorded the recharge.
 */
rechargeCreationDate?: string
/**
 * When the recharge was effectively performed. Absent until it succeeds.
 */
rechargeDate?: string
webhook?: Webhook
}
/**
 * What we send to your callback address when a recharge has ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventNotification".
 */
export interface EventNotification {
/**
 * Id of the recharge, since each brings one webhook registration along at most.
 */
eventSubscriptionid?: string
event: Event
}
/**
 * One event in the life of a recharge.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Event".
 */
export interface Event {
/**
 * Id of the event, the same in every attempt to deliver it. Use it to recognise repeats.
 */
eventid?: string
/**
 * PAYMENT_COMPLETED when the recharge went through, PAYMENT_FAILED when it did not.
 */
eventType: ("PAYMENT_COMPLETED" | "PAYMENT_FAILED")
/**
 * When the event occurred.
 */
eventTime: string
eventDetail: EventDetail
}
/**
 * Which recharge the event is about, and how it ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventDetail".
 */
export interface EventDetail {
/**
 * Id of the recharge.
 */
rechargeId: string
/**
 * The clientCorrelatorId you sent with the recharge.
 */
clientCorrelatorId?: string
/**
 * succeeded comes with PAYMENT_COMPLETED, failed with PAYMENT_FAILED.
 */
status: ("succeeded" | "failed")
/**
 * A sentence about the outcome; on failure it gives the reason.
 */
description: string
/**
 * When the recharge was effectively performed. Absent when it failed.
 */
paymentDate?: string
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
code: ("INVALID_ARGUMENT" | "OUT_OF_RANGE" | "UNAUTHORIZED" | "PERMISSION_DENIED" | "CARRIER_BILLING.PHONE_NUMBER_REQUIRED" | "CARRIER_BILLING.INVALID_TOKEN_CONTEXT" | "CARRIER_BILLING.UNAUTHORIZED_AMOUNT" | "CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED" | "NOT_FOUND" | "ALREADY_EXISTS" | "SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "REQUEST_TIMEOUT_EXCEEDED")
/**
 * The HTTP status of the answer, as text.
 */
status: string
/**
 * What went wrong, for a person to read. When one field is to blame, the text starts with its path. Do not parse it.
 */
message: string
}
