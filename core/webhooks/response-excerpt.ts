/** The excerpt that is kept of an endpoint's response: its start, as short plain text without secrets. */
import { type Secrets, secretsOf } from './secrets.ts'

/** The most that is read of a response; a receiver cannot fill our memory. */
export const MAX_READ = 16 * 1024
/** The most that is kept of it, in bytes (docs/webhooks.md, "For operators"). */
const MAX_KEPT = 1024
/** Characters that are looked through for secrets: more than are kept, since what is hidden becomes shorter. */
const MAX_SEARCHED = 4 * 1024

/** The start of a body, and whether there was more. */
export interface Start {
  readonly text: string
  readonly isCut: boolean
}

/** The start of a body that came in these pieces. @param isCut whether something broke it off. */
export function startOf(chunks: readonly Buffer[], isCut: boolean): Start {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return { text: bytes.toString('utf8', 0, MAX_READ), isCut }
}

/** The longest start of the text that fits into the bytes, without half a character at its end. */
const cut = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_KEPT) return text
  return new TextDecoder().decode(bytes.subarray(0, MAX_KEPT), { stream: true })
}

/**
 * Without what a terminal or a browser would obey instead of showing: control characters and line ends become spaces;
 * direction marks, joiners and other format characters, by which a secret could also be told past the search, are left out.
 */
const toPlain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cf}+/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

/** How much of the secret's start stands at the end of the text; both in small letters. */
const startAtEnd = (text: string, secret: string): number => {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

/** Where the reading broke off a secret may have begun, which the search would not find. */
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
 * An error that was kept before, for those who see no address.
 * @param status null where there was no response: what is kept then says nothing of the address.
 */
export const withoutAddress = (
  error: string | null,
  status: number | null,
  address: string,
): string | null =>
  error === null || status === null ? error : redactExcerpt({ text: error, isCut: false }, address)
