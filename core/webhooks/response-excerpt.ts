/**
 * The excerpt that is kept of an endpoint's response: its start, as short plain text without secrets. Secrets are the token
 * and every part of the address, which analysts do not see and a log has no need of. An endpoint may echo them raw, decoded,
 * or written for HTML or JSON.
 */
import { callbackOf } from '../egress/callback-policy.ts'

/** The most that is kept of it, in bytes (docs/webhooks.md, "For operators"). */
const MAX_KEPT = 1024
/** Characters that are looked through for secrets: more than are kept, since what is hidden becomes shorter. */
const MAX_SEARCHED = 4 * 1024

/** The start of a body, and whether there was more. */
export interface Start {
  readonly text: string
  readonly isCut: boolean
}

/** The longest start of the text that fits into the bytes, without half a character at its end. */
const cut = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_KEPT) return text
  return new TextDecoder().decode(bytes.subarray(0, MAX_KEPT), { stream: true })
}

/**
 * Text without the characters that a terminal or a browser would obey instead of showing. Control characters and line ends
 * become spaces. Direction marks, joiners and other format characters are left out: they could also hide a secret from the
 * search.
 */
const toPlain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** Where the parts of an address begin and end. */
const DELIMITERS = /[\s/?#&=;,:@+!'()*$[\]]+/

/** The last part of every callback address, which is ours and no secret. */
const OWN = 'eventNotifications'

/** More parts than any honest address has; where an address has more, nothing of a response is kept. */
const MAX_PARTS = 100

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const toHtml = (text: string) => text.replaceAll(/[&<>"']/g, sign => HTML[sign]!)
const toJson = (text: string) => JSON.stringify(text).slice(1, -1)
const toAscii = (text: string) =>
  toJson(text).replaceAll(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A part as an endpoint may write it: as it stands, decoded, encoded, and each of those in HTML and in JSON. */
const spellings = (part: string): string[] => {
  const plain = decoded(part).toWellFormed()
  const ofForm = decoded(part.replaceAll('+', ' '))
  return [part, plain, ofForm, encodeURI(plain), encodeURIComponent(plain)].flatMap(one => [
    ...[one, toHtml(one), toJson(one), toAscii(one)],
    ...[toJson(one), toAscii(one)].map(json => json.replaceAll('/', '\\/')),
  ])
}

/** The pieces of a path, a query or credentials, as they stand and decoded. */
const pieces = (text: string): string[] => [...text.split(DELIMITERS), ...decoded(text).split(DELIMITERS)]

const isAddressOfIp = (hostname: string) => /^(\[.*\]|[\d.]+)$/.test(hostname)

/** The labels of a name but the last, which is a domain of many. */
const labelsOf = (hostname: string): string[] =>
  isAddressOfIp(hostname) ? [hostname.replaceAll(/[[\]]/g, '')] : hostname.split('.').slice(0, -1)

const wholesOf = (url: URL): string[] => {
  const { href, origin, host, hostname, pathname, search } = url
  const called = callbackOf(href)
  return [
    ...[href, origin, host, hostname, pathname, search, `${pathname}${search}`],
    ...[called.href, called.pathname, `${called.pathname}${search}`],
  ]
}

const basicOf = ({ username, password }: URL): string[] =>
  username || password ? [btoa(`${decoded(username)}:${decoded(password)}`)] : []

/** The parts of an address; undefined for one that has too many. */
const internalsOf = (address: string): string[] | undefined => {
  const url = new URL(address)
  const { hostname, port, username, password, pathname, search, hash } = url
  const all = [address, ...wholesOf(url), ...labelsOf(hostname), port, ...basicOf(url)]
  const found = new Set([...all, ...[username, password, pathname, search, hash].flatMap(pieces)])
  const parts = [...found].filter(part => part !== '' && part !== '/' && part !== OWN)
  return parts.length > MAX_PARTS ? undefined : parts
}

/** A part that is shorter is hidden where it is a word of its own: as a part of words it is everywhere. */
const SHORT = 4

/** Where a word begins: also behind a sign that is written as an escape. */
const BEGIN = String.raw`(?<=^|[^\p{L}\p{N}]|%[\da-f]{2}|\\u[\da-f]{4})`
const END = String.raw`(?![\p{L}\p{N}])`

const toPattern = (text: string): string =>
  text.length < SHORT ? `${BEGIN}${RegExp.escape(text)}${END}` : RegExp.escape(text)

/** Texts to look for. */
interface Secrets {
  /** Each by itself, as it may be written. */
  readonly texts: readonly string[]
  /** Any of them, the longest first. */
  readonly pattern: RegExp
}

/**
 * The secrets of a webhook.
 * @param address what was posted as `notificationUrl`.
 * @param show makes a text plain, as the one that they are looked for in is.
 * @returns undefined where they are too many to be looked for.
 */
function secretsOf(
  address: string,
  token: string | undefined,
  show: (text: string) => string,
): Secrets | undefined {
  const parts = URL.canParse(address) ? internalsOf(address) : [address]
  if (!parts) return undefined
  const all = new Set([...parts, ...(token ? [token] : [])].flatMap(spellings).map(show))
  const texts = [...all].filter(text => text.trim() !== '').toSorted((a, b) => b.length - a.length)
  return { texts, pattern: new RegExp(texts.map(toPattern).join('|'), 'giu') }
}

/** The length of the secret's start that stands at the end of the text; both in small letters. */
const startAtEnd = (text: string, secret: string): number => {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

/** Text without the start of a secret at its end: where the reading broke off, the search would not find it. */
const withoutBrokenEnd = ({ text, isCut }: Start, { texts }: Secrets): string => {
  if (!isCut) return text
  const end = text.slice(-texts[0]!.length).toLowerCase()
  return text.slice(0, text.length - Math.max(...texts.map(one => startAtEnd(end, one.toLowerCase()))))
}

const HIDDEN = '[…]'
const NOT_KEPT = 'the response is not kept: the address has too many parts to look for'

/**
 * Text that can be kept and shown: in plain characters, without the token and any part of the address, at most 1 KiB.
 * @param address what was posted as `notificationUrl`.
 */
export function redactExcerpt(start: Start, address: string, token?: string): string {
  const plain = toPlain(start.text)
  if (plain.trim() === '') return ''
  const secrets = secretsOf(address, token, toPlain)
  if (!secrets) return NOT_KEPT
  const isCut = start.isCut || plain.length > MAX_SEARCHED
  const text = withoutBrokenEnd({ text: plain.slice(0, MAX_SEARCHED), isCut }, secrets)
  return cut(text.toWellFormed().replaceAll(secrets.pattern, HIDDEN).trim())
}

/**
 * An error that was kept before, for readers who see no address.
 * @param status null where there was no response: such an error says nothing of the address.
 */
export const withoutAddress = (
  error: string | null,
  status: number | null,
  address: string,
): string | null =>
  error === null || status === null ? error : redactExcerpt({ text: error, isCut: false }, address)
