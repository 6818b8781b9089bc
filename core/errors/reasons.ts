/**
 * Reasons: more exact than the contract's codes, for programs that show a fault beside a field. A reason that clients
 * know is never renamed; docs/graph.md lists them from here.
 */
export const REASONS = {
  // Reasons of a value by itself.
  REQUIRED: 'The field is missing.',
  WRONG_TYPE: 'The value is not of the type that the field has.',
  UNKNOWN_VALUE: 'The value is none of those that the field can have.',
  TOO_LONG: 'The text has too many characters.',
  TOO_SHORT: 'The text has too few characters, or none.',
  TOO_MANY: 'There are too many: items of a list, words of a search, recipients, rows.',
  TOO_FEW: 'The list has too few items.',
  TOO_GREAT: 'The number is greater than the field allows.',
  TOO_SMALL: 'The number is smaller than the field allows.',
  TOO_MANY_DIGITS: 'The number has more digits than can be kept exactly, or too many before the point.',
  TOO_MANY_DECIMALS: 'The number has more decimals than its currency, or than points have.',
  BAD_FORMAT: 'The text does not have the form that the field needs.',
  BAD_CHARACTERS: 'The text has characters that cannot be kept or sent.',
  BAD_PHONE_NUMBER: 'The text is not a possible phone number.',
  BAD_CARD_NUMBER: 'The text is not a possible card number.',
  UNKNOWN_CURRENCY: 'The text is not an active ISO 4217 currency code.',
  CURRENCY_NOT_AUTHORIZED: 'The currency is not one of those that the client may use.',
  WEBHOOK_ADDRESS_REFUSED: 'The address is none to which webhooks may be sent.',
  CARD_NUMBER_IN_TEXT: 'A free text holds a card number, and the operator refuses that.',
  IN_THE_PAST: 'The instant has passed.',
  IN_THE_FUTURE: 'The instant has not come yet.',
  BAD_CURSOR: 'The text is not a cursor of this field.',
  EXPIRED_CURSOR: 'Events that follow the cursor are no longer kept.',
  // Reasons of a value in relation to what the operator knows.
  UNKNOWN_ACCOUNT: 'The operator has no such account.',
  UNKNOWN_LINE: 'The operator has no such number.',
  FOREIGN_LINE: 'The number is not a line of the account that is named.',
  INACTIVE_NUMBER: 'The number is not an active mobile number of the operator.',
  NOT_PREPAID: 'The number is not a prepaid one.',
  // Reasons of values that belong together.
  NOTHING_TO_POST: 'The amount or the points are missing, so there is nothing to post.',
  CONTRADICTION: 'Two fields that must agree do not, or exclude each other.',
  DIFFERENT_ACCOUNTS: 'The numbers that are given belong to different accounts.',
  // Reasons of what was posted before.
  DUPLICATE_CORRELATOR: 'The clientCorrelatorId was used already; the message names the transaction.',
  DUPLICATE_REFERENCE: 'A payment without clientCorrelatorId repeats the reference and account of another.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used for another request, which posted a transaction.',
  DUPLICATE_RECIPIENT: 'The recipient stands in the batch a second time.',
  // Reasons of a transaction's status.
  NOT_CANCELLABLE: 'The transaction can no longer be cancelled, or its kind never can; the message says why.',
  NOT_REVERSIBLE: 'The transaction cannot be taken back; the message says why.',
  // Reasons of the request as a whole.
  INVALID_REQUEST: 'The request cannot be read: its form, its type or its size.',
  INVALID_OPERATION: 'The operation cannot be executed: its syntax, its fields or its limits.',
  UNKNOWN_DOCUMENT: 'No trusted document has the id that the request names.',
  NOT_TRUSTED: 'The operation is not among the trusted documents, and the operator executes no others.',
  UNKNOWN_PARAMETER: 'There is no such parameter.',
  METHOD_NOT_ALLOWED: 'The path, or the operation, does not have this method.',
  OUT_OF_RANGE: 'A parameter of a list is outside its range.',
  // Reasons of the client.
  TOKEN_NOT_ACCEPTED: 'The access token, or the secret, is missing or wrong.',
  ROLE_NOT_PERMITTED: 'The role of the client may not do or see this.',
  PHONE_NUMBER_REQUIRED: 'No phone number is named, and the token is bound to none.',
  OTHER_PHONE_NUMBER: 'The token is bound to another phone number.',
  ABOVE_MAXIMUM: 'The amount, or the points, are more than the client may post at once.',
  ABOVE_MONTHLY_LIMIT: 'The amounts, or points, of this month would exceed what the client may post.',
  // Reasons of the requested object, and of time.
  NOT_FOUND: 'There is no such thing, or none that the client may see.',
  UNAVAILABLE: 'It cannot be done at the moment: try again.',
  TIME_LIMIT: 'It took too long, and nothing was written.',
  UNEXPECTED: 'A fault of this system: quote x-correlator to support.',
} as const satisfies Record<string, string>

export type Reason = keyof typeof REASONS
