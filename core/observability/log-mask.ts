/**
 * Masking of log lines. It works on the text of each line, whichever code wrote it, so that no line depends on its writer's
 * care: secrets and cards are removed, phone and account numbers keep their last three digits.
 */
import { holdsCardNumber } from '../values/card.ts'

/** Takes the text of a line, which is one JSON object, and returns it masked. */
export type MaskLine = (line: string) => string

/** Names of members that are secrets. */
const SECRET_NAMES = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'cvv',
  'cardNumber',
  'notificationAuthToken',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'secret',
  'secretsKey',
  'password',
].join('|')

/** Names of members that are numbers of a person, however short. */
const NUMBER_NAME = /(?:accountNumber|phoneNumber|mobileNumber|msisdn|subscriber)$/i

/** Ids, hashes and times, whose digits are no number of a person. */
const KEPT = [
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b(?=\d*[a-f])(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32}|[\da-f]{16})\b`,
  String.raw`(?<!\d)\d{4}-\d{2}-\d{2}(?:T[\d:.]+)?(?!\d)`,
].join('|')

/** Digits may be parted by single spaces and dashes, as in a phone number that a person wrote. */
const DIGITS = String.raw`\+?\d(?:[ -]?\d){5,}`

/** Id that is kept, in a group of its own, or a number. */
const NUMBER_OR_ID = new RegExp(`(${KEPT})|${DIGITS}`, 'gi')

const SUSPECTS = String.raw`${DIGITS}|"(?:${SECRET_NAMES})\\*"|(?:accountNumber|phoneNumber|mobileNumber|msisdn|subscriber)"|eyJ|whsec_|Bearer|Basic|://[^"\s]*@|(?:secret|password|token|cvv)=`

/** Places that may need a mask: most lines have none, and are written as they are. */
const SUSPECT = new RegExp(SUSPECTS, 'gi')

/** The same, or what is kept, in a group of its own: in most of the other lines it is an id that looks like a number. */
const SUSPECT_OR_ID = new RegExp(`(${KEPT})|${SUSPECTS}`, 'gi')

/** Start of a line, whose time and correlator would look like numbers; a correlator that is a UUID is kept in any case. */
const HEAD =
  /^\{"level":\d\d,"time":\d{13},(?:"correlator":"[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}",)?/

const SECRET_MEMBER = new RegExp(`"(${SECRET_NAMES})":\\s*(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.]*)`, 'gi')
/** The same within a text that is JSON itself, such as the excerpt of a body. */
const QUOTED_SECRET = new RegExp(
  `\\\\"(${SECRET_NAMES})\\\\"(\\s*:\\s*)(?:\\\\"[^"]*?\\\\"|-?\\d[\\d.]*)`,
  'gi',
)

/** Secrets that their form gives away, each with its replacement. */
const SECRET_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{5,}(?:\.[\w-]*)*/g, '[redacted]'],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{4,}/gi, '$1 [redacted]'],
  [/\bwhsec_[\w+/=-]+/g, '[redacted]'],
  [/(:\/\/[^\s/@:"\\]*):[^\s/@"\\]+@/g, '$1:[redacted]@'],
  [/\b(\w*(?:secret|password|token|cvv))=[^&\s"\\;,]+/gi, '$1=[redacted]'],
]

/** A string of JSON, which may be cut off at the end of the line, and whether it is the name of a member. */
const STRING = /"((?:[^"\\]|\\(?:.|$))*)(?:("\s*:)|("|$))/gs

/** A member of a person's number that is written as a number. */
const BARE_NUMBER = /"(\w*(?:accountNumber|phoneNumber|mobileNumber|msisdn))":(\d+)/gi

/** Correlator that is a number and nothing else: mostly a phone number that was taken for one. */
const IS_NUMBER = /^\+?\d{6,19}$/

const LAST = 3

const lastOf = (text: string): string => `***${text.slice(-LAST)}`

const isCard = (digits: string): boolean => holdsCardNumber(digits.replace(/^\+/, ''))

const isSuspect = (line: string): boolean => {
  const start = HEAD.exec(line)?.[0].length ?? 0
  SUSPECT.lastIndex = start
  if (!SUSPECT.test(line)) return false
  SUSPECT_OR_ID.lastIndex = start
  let found = SUSPECT_OR_ID.exec(line)
  while (found?.[1] !== undefined) found = SUSPECT_OR_ID.exec(line)
  return found !== null
}

/** Makes the mask. @param showsNumbers whether phone and account numbers stay whole (`LOG_NUMBERS`); cards never do. */
export function createMask(showsNumbers: boolean): MaskLine {
  const maskNumber = (found: string, kept: string | undefined): string => {
    if (kept !== undefined) return found
    if (isCard(found)) return '[card]'
    return showsNumbers ? found : lastOf(found)
  }
  const maskText = (text: string, name: string): string => {
    if (name === 'correlator' && !IS_NUMBER.test(text)) return text
    if (!showsNumbers && NUMBER_NAME.test(name) && text !== '') return lastOf(text.length > LAST ? text : '')
    return text.replace(NUMBER_OR_ID, maskNumber)
  }
  const maskNumbers = (line: string): string => {
    let name = ''
    return line.replace(STRING, (whole, text: string, nameEnd?: string, end = '') => {
      const masked = maskText(text, nameEnd === undefined ? name : '')
      if (nameEnd !== undefined) name = text
      return masked === text ? whole : `"${masked}${nameEnd ?? end}`
    })
  }
  return line => {
    if (!isSuspect(line)) return line
    let text = line.replace(SECRET_MEMBER, '"$1":"[redacted]"')
    text = text.replace(QUOTED_SECRET, '\\"$1\\"$2\\"[redacted]\\"')
    for (const [form, replacement] of SECRET_FORMS) text = text.replace(form, replacement)
    if (!showsNumbers) text = text.replace(BARE_NUMBER, (_, name, digits) => `"${name}":"${lastOf(digits)}"`)
    return maskNumbers(text)
  }
}
