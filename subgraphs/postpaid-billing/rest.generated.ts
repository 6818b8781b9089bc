/** Generated from schema/ by `npm run codegen`; do not edit. */

export interface Contract {

}
/**
 * A request to post a bill payment.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreateBillPayment".
 */
export interface CreateBillPayment {
paymentTransaction: PaymentTransaction
webhook?: Webhook
}
/**
 * The payment as you describe it - for whom, how much, and under which of your references.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentTransaction".
 */
export interface PaymentTransaction {
/**
 * Your unique id of this request. Always send one, and repeat it when you send the request again after a communication failure, so that the payment is not applied twice.
 */
clientCorrelatorId?: string
/**
 * Your own reference of the payment, used in disputes.
 */
referenceCode: string
customerInfo: CustomerInfo
paymentInfo: PaymentInfo
}
/**
 * Whose bill is paid.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CustomerInfo".
 */
export interface CustomerInfo {
/**
 * The account the payment is posted against. The customer inquiry tells it.
 */
customerAccountNumber: string
/**
 * The phone number, only when the bill is for a postpaid phone. E.164 with country code, with or without a leading +; eight digits are read as a national number.
 */
phoneNumber?: string
/**
 * The fixed line number, when the bill is for a fixed line. Written like a phone number.
 */
fixedlineNumber?: string
/**
 * The internet account, when the bill is for one.
 */
internetAccount?: string
}
/**
 * What is paid, and how.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentInfo".
 */
export interface PaymentInfo {
paymentInformation: PaymentInformation
paymentMetaData?: PaymentMetaData
/**
 * The amount broken down into items.
 * 
 * @minItems 1
 * @maxItems 100
 */
amountDetails?: PaymentItem[]
}
/**
 * The amount paid.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentInformation".
 */
export interface PaymentInformation {
/**
 * The amount paid. Greater than 0, at most 12 digits before the decimal point and no more after it than the currency has (OMR: 3).
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
 * Circumstances of the payment - merchant, fee, channel, method.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentMetaData".
 */
export interface PaymentMetaData {
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
cardNumber: string
/**
 * Name on the card. A dummy value is allowed when agreed.
 */
cardHolderName: string
/**
 * Brand of the card.
 */
cardType?: ("Visa" | "MasterCard" | "AmericanExpress" | "Discover")
/**
 * Month in which the card expires. A dummy value is allowed when agreed.
 */
expiryMonth: number
/**
 * Year in which the card expires.
 */
expiryYear: number
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
 * One item of the amount paid.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentItem".
 */
export interface PaymentItem {
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
 * A bill payment with its present status.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Payment".
 */
export interface Payment {
/**
 * Id of the payment, given by us.
 */
paymentId: string
paymentTransaction: PaymentTransaction
/**
 * Where the payment stands. It starts as processing and ends as succeeded or denied; reserved and cancelled depend on the operator's charging system.
 */
transactionOperationStatus?: ("processing" | "denied" | "reserved" | "succeeded" | "cancelled")
/**
 * When we recorded the payment.
 */
paymentCreationDate?: string
/**
 * When the payment was effectively performed. Absent until it succeeds.
 */
paymentDate?: string
webhook?: Webhook
}
/**
 * The payment just accepted; the same fields as Payment.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "PaymentCreated".
 */
export interface PaymentCreated {
/**
 * Id of the payment, given by us.
 */
paymentId: string
paymentTransaction: PaymentTransaction
/**
 * Where the payment stands. It starts as processing and ends as succeeded or denied; reserved and cancelled depend on the operator's charging system.
 */
transactionOperationStatus?: ("processing" | "denied" | "reserved" | "succeeded" | "cancelled")
/**
 * When we recorded the payment.
 */
paymentCreationDate?: string
/**
 * When the payment was effectively performed. Absent until it succeeds.
 */
paymentDate?: string
webhook?: Webhook
}
/**
 * A customer account and what is due on it.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Customer".
 */
export interface Customer {
/**
 * Name of the customer.
 */
customerName?: string
/**
 * Status of the contract - ACTIVE, PENDING or NEW.
 */
customerStatus?: string
/**
 * Kind of contract - 9 GSM postpaid, 11 GSM fax, 12 GSM data, 14 GSM prepaid, 200 and 203 fixed line (PSTN).
 */
customerType?: number
/**
 * The account number to post payments against.
 */
customerAccountNumber?: string
/**
 * Category of the account, for instance business large, business medium, business small, government, residential, service, special services, roaming test cards, residential staff, test numbers or network support.
 */
acctCategory?: string
/**
 * ACCOUNT IN COLLECTIONS or ACCOUNT NOT IN COLLECTIONS.
 */
collectionIndicator?: string
/**
 * First line of the address.
 */
custAddr1?: string
/**
 * Second line of the address.
 */
custAddr2?: string
/**
 * Third line of the address.
 */
custAddr3?: string
/**
 * Total amount due in Omani Riyals. Below zero when the customer has paid ahead.
 */
totalDues?: number
}
/**
 * What we send to your callback address when a payment has ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventNotification".
 */
export interface EventNotification {
/**
 * Id of the payment, since each brings one webhook registration along at most.
 */
eventSubscriptionid?: string
event: Event
}
/**
 * One event in the life of a payment.
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
 * PAYMENT_COMPLETED when the payment went through, PAYMENT_FAILED when it did not.
 */
eventType: ("PAYMENT_COMPLETED" | "PAYMENT_FAILED")
/**
 * When the event occurred.
 */
eventTime: string
eventDetail: EventDetail
}
/**
 * Which payment the event is about, and how it ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventDetail".
 */
export interface EventDetail {
/**
 * Id of the payment.
 */
paymentId: string
/**
 * The clientCorrelatorId you sent with the payment.
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
 * When the payment was effectively performed. Absent when it failed.
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
