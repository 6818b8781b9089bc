/** The excerpt that is kept of an endpoint's response: its start, as short plain text without secrets. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** What is read of a response at most; a receiver cannot fill our memory. */
const MAX_READ = 16 * 1024
/** What is kept of it at most, in bytes (docs/webhooks.md, "For operators"). */
const MAX_KEPT = 1024

/** The start of a body, and whether there was more. */
export interface Start {
  readonly text: string
  readonly isCut: boolean
}

/** Reads the start of a body; whatever breaks it off, what came until then counts. */
export async function readExcerpt(body: Readable): Promise<Start> {
  const chunks: Buffer[] = []
  let length = 0
  let isCut = false
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_READ) break
    }
  } catch {
    // By the receiver or by our time limit.
    isCut = true
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_READ).toString('utf8')
  return { text, isCut: isCut || length >= MAX_READ }
}

/** Lets a body go by of which nothing is kept, so that its connection serves again; one that is too long is cut off. */
export const discardBody = (body: Dispatcher.ResponseData['body']): Promise<void> =>
  body.dump({ limit: MAX_READ })

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
