/** What is kept of a receiver's answer: the start of it, as short plain text without what is secret. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** What is read of an answer at most; a receiver cannot fill our memory. */
const MAX_READ = 16 * 1024
/** What is kept of it at most, in bytes (docs/decisions.md, "redaction"). */
const MAX_KEPT = 1024

/** Reads the start of a body; whatever breaks it off, what came until then counts. */
export async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_READ) break
    }
  } catch {
    // Cut off by the receiver or by our time limit.
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ).toString('utf8')
}

/** Lets a body go by of which nothing is kept, so that its connection serves again; one that is too long is cut off. */
export const skip = (body: Dispatcher.ResponseData['body']): Promise<void> => body.dump({ limit: MAX_READ })

/** The longest start of the text that fits into the bytes, without half a character at its end. */
const cut = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= MAX_KEPT) return text
  return new TextDecoder().decode(bytes.subarray(0, MAX_KEPT), { stream: true })
}

/** Text that can be kept and shown: no control characters, none of the secrets, at most 1 KiB. */
export function keepText(text: string, secrets: readonly (string | undefined)[]): string {
  const hidden = secrets
    .filter(secret => secret)
    .reduce<string>((all, one) => all.replaceAll(one!, '[…]'), text)
  return cut(
    hidden
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  )
}
