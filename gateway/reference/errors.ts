/** The section on errors: the codes of the catalogue and the reasons below them, each with what it says. */
import { type ErrorCode, STATUS_OF } from '#core/errors/catalogue.ts'
import { REASONS } from '#core/errors/reasons.ts'

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT:
    'The operation, a variable or a field of an input is wrong; or the same was posted before.',
  OUT_OF_RANGE: 'A number is outside its bounds, such as the length of a page.',
  UNAUTHORIZED: 'There is no token, or it is not accepted: get a new one.',
  PERMISSION_DENIED: 'The role of the client may not do this.',
  'CARRIER_BILLING.PHONE_NUMBER_REQUIRED': 'A phone number has to be given; the token is bound to none.',
  'CARRIER_BILLING.INVALID_TOKEN_CONTEXT': 'The token is bound to another phone number.',
  'CARRIER_BILLING.UNAUTHORIZED_AMOUNT': 'The amount is above what the client may post at once.',
  'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED':
    "The customer's limit with this client is used up for the month.",
  NOT_FOUND: 'There is nothing of this id that the client may see.',
  ALREADY_EXISTS: 'The same transaction was posted before under another correlator, or without one.',
  SERVER_ERROR: 'A fault of the server. Its log has it under the `x-correlator` of the response.',
  SERVICE_UNAVAILABLE: 'Too much at once, or a part cannot be reached: try again shortly.',
  REQUEST_TIMEOUT_EXCEEDED: 'It took too long. A mutation may have been carried out: send the same again.',
}

const WORDS = `## Errors

An operation that was executed is answered with 200. Fields that could not be had are \`null\`, and \`errors\` says for each
why, with its \`path\`. An operation that was not executed has the status of its first error. Every fault of an input is an
error of its own, at most 20 at once. Programs go by what stands in \`extensions\`; \`message\` is for people:

- \`code\` and \`http.status\`: the contract's code, and the HTTP status it has on REST;
- \`reason\`: what is wrong, by a name that stays;
- \`field\`: where in the input, as on REST (\`paymentTransaction.paymentInfo.amountDetails[0].amount\`); within a variable that
  is an input, from that input on. Absent where no single field is at fault;
- \`sentence\`: the message for people who know no paths;
- \`limit\`: what the value may be, where that can be said: \`min\` and \`max\` (of a number its value, of a text its
  characters, of a list its items), \`length\` (of a text its characters, of a number its digits or decimals), \`allowed\`
  (all values there are);
- \`existingId\`: the id of the transaction that was posted first, where this one repeats it;
- \`cursor\`: where to resume, where a subscription had to end.
`

const codeTable = (): string =>
  [
    '| code | status | what it says |',
    '|---|---|---|',
    ...Object.entries(MEANINGS).map(
      ([code, meaning]) => `| \`${code}\` | ${STATUS_OF[code as ErrorCode]} | ${meaning} |`,
    ),
  ].join('\n')

const reasonTable = (): string =>
  [
    '| reason | what is wrong |',
    '|---|---|',
    ...Object.entries(REASONS).map(([reason, text]) => `| \`${reason}\` | ${text} |`),
  ].join('\n')

/** The section as Markdown. */
export const errorSection = (): string => [WORDS, codeTable(), '', reasonTable(), ''].join('\n')
