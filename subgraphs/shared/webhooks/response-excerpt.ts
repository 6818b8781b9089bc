/** The excerpt that is kept of an endpoint's response: its start, as short plain text without secrets. */

/** What is read of a response at most; a receiver cannot fill our memory. */
export const MAX_READ = 16 * 1024
/** What is kept of it at most, in bytes (docs/webhooks.md, "For operators"). */
const MAX_KEPT = 1024

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

/** How much of the secret's start stands at the end of the text. */
const startAtEnd = (text: string, secret: string): number => {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

/** Where the reading broke off a secret may have begun, which the search would not find. */
const withoutBrokenEnd = ({ text, isCut }: Start, secrets: readonly string[]): string => {
  const broken = isCut ? Math.max(0, ...secrets.map(secret => startAtEnd(text, secret))) : 0
  return text.slice(0, text.length - broken)
}

/** Text that can be kept and shown: in plain characters, none of the secrets, at most 1 KiB. */
export function redactExcerpt(start: Start, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter(secret => secret !== undefined && secret !== '') as string[]
  const text = withoutBrokenEnd({ ...start, text: toPlain(start.text) }, known)
  return cut(known.reduce((all, one) => all.replaceAll(one, '[…]'), text).trim())
}
