/** Generated from schema/ by `npm run codegen`; do not edit. */

/**
 * Where the reward stands:
 * - processing - accepted and under process
 * - pending - initiated, not yet processed
 * - success - completed
 * - failed - an error occurred, or it was rejected
 * - cancelled - cancelled by user or system before completion
 * - invalid - incorrect data
 * - expired - not completed in the required time
 * - declined - refused, for instance for lack of points
 * - reversed - taken back after it was processed
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "TransactionOperationStatus".
 */
export type TransactionOperationStatus = ("processing" | "pending" | "success" | "failed" | "cancelled" | "invalid" | "expired" | "declined" | "reversed")

export interface Contract {

}
/**
 * A request to post a reward.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "CreateReward".
 */
export interface CreateReward {
rewardTransaction: RewardTransaction
webhook?: Webhook
}
/**
 * The reward as you describe it - for which number, how many points, and under which of your references.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RewardTransaction".
 */
export interface RewardTransaction {
/**
 * Your unique id of this request. Repeat it when you send the request again after a communication failure, so that the reward is not carried out twice.
 */
clientCorrelatorId: string
/**
 * The number to credit, an active mobile number of the operator. E.164 with country code, with or without a leading +; eight digits are read as a national number. It is required unless your access token is bound to a number: then it may be left out, means that number, and is not in what you get back either.
 */
mobileNumber?: string
/**
 * Your own reference of the reward.
 */
referenceCode?: string
rewardInformation?: RewardInformation
rewardMetaData?: RewardMetaData
}
/**
 * The points to credit. A request without it is refused, since there is nothing to post.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RewardInformation".
 */
export interface RewardInformation {
/**
 * How many points to add. Greater than 0, with at most 2 decimals.
 */
rewardPoints: number
/**
 * What the points are for.
 */
description?: string
/**
 * Further properties of the reward.
 * 
 * @maxItems 100
 */
characteristicList?: Characteristic[]
}
/**
 * One further property, by name.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Characteristic".
 */
export interface Characteristic {
/**
 * Name of the property.
 */
name: string
/**
 * Data type of the value.
 */
valueType?: string
/**
 * The value, as text.
 */
value: string
}
/**
 * Circumstances of the reward - merchant, channel, product.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RewardMetaData".
 */
export interface RewardMetaData {
/**
 * Name of the actual merchant when you post on behalf of one.
 */
merchantName?: string
/**
 * Identifier of the actual merchant.
 */
merchantIdentifier?: string
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
 * Further properties of the circumstances.
 * 
 * @maxItems 100
 */
characteristicList?: Characteristic[]
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
 * A reward with its present status.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "Reward".
 */
export interface Reward {
/**
 * Id of the reward, given by us.
 */
rewardId: string
transactionOperationStatus?: TransactionOperationStatus
rewardTransaction: RewardTransaction
/**
 * When we recorded the reward.
 */
rewardCreationDate?: string
/**
 * When the reward was effectively performed. Absent until it succeeds.
 */
rewardDate?: string
webhook?: Webhook
}
/**
 * The reward just accepted. It does not repeat what you sent.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "RewardCreated".
 */
export interface RewardCreated {
/**
 * Id of the reward, given by us.
 */
rewardId: string
transactionOperationStatus: TransactionOperationStatus
/**
 * When we recorded the reward.
 */
rewardCreationDate?: string
/**
 * When the reward was effectively performed. Absent until it succeeds.
 */
rewardDate?: string
webhook?: Webhook
}
/**
 * What we send to your callback address when a reward has ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventNotification".
 */
export interface EventNotification {
/**
 * Id of the reward, since each brings one webhook registration along at most.
 */
eventSubscriptionid?: string
event: Event
}
/**
 * One event in the life of a reward.
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
 * PAYMENT_COMPLETED when the reward went through, PAYMENT_FAILED when it did not.
 */
eventType: ("PAYMENT_COMPLETED" | "PAYMENT_FAILED")
/**
 * When the event occurred.
 */
eventTime: string
eventDetail: EventDetail
}
/**
 * Which reward the event is about, and how it ended.
 * 
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "EventDetail".
 */
export interface EventDetail {
/**
 * Id of the reward.
 */
rewardId: string
/**
 * The clientCorrelatorId you sent with the reward.
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
 * When the reward was effectively performed. Absent when it failed.
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
