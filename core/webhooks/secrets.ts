/**
 * Secrets of a webhook that no kept text may say: its token, and every part of its address, which analysts do not see and a
 * log has no need of. A receiver echoes them raw, decoded, or written for HTML or JSON.
 */

import { callbackOf } from '../egress/callback-policy.ts'

/** Where the parts of an address begin and end. */
const DELIMITERS = /[\s/?#&=;,:@+!'()*$[\]]+/

/** The last part of every callback address, which is ours and tells nothing. */
const OWN = 'eventNotifications'

/** More parts than any honest address has; of a response to one that has more nothing is kept. */
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

/** A part as a receiver may write it: as it stands, decoded, encoded, and each of those in HTML and in JSON. */
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
const partsOf = (address: string): string[] | undefined => {
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
export interface Secrets {
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
export function secretsOf(
  address: string,
  token: string | undefined,
  show: (text: string) => string,
): Secrets | undefined {
  const parts = URL.canParse(address) ? partsOf(address) : [address]
  if (!parts) return undefined
  const all = new Set([...parts, ...(token ? [token] : [])].flatMap(spellings).map(show))
  const texts = [...all].filter(text => text.trim() !== '').toSorted((a, b) => b.length - a.length)
  return { texts, pattern: new RegExp(texts.map(toPattern).join('|'), 'giu') }
}
