/** Bytes as text. All that clients send is UTF-8 (RFC 8259 §8.1), read strictly: nothing is replaced. */
import { invalid } from '../errors/catalogue.ts'

/** A byte order mark is ignored, as RFC 8259 §8.1 lets a reader do. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Before it, the bytes are what their text would be written as. */
const firstWrong = (bytes: Buffer): number => {
  const written = Buffer.from(bytes.toString('utf8'))
  return bytes.findIndex((byte, index) => byte !== written[index])
}

/** The text of the bytes, without a byte order mark; undefined where they are not UTF-8. */
export const findUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The text of a request's body, without a byte order mark.
 * @throws ServiceError INVALID_ARGUMENT naming the encoding and the first byte that is none of it.
 */
export const decodeBody = (bytes: Buffer): string => {
  const text = findUtf8(bytes)
  if (text !== undefined) return text
  throw invalid(
    `the request body must be encoded in UTF-8 (RFC 8259); its byte at position ${firstWrong(bytes)} is not`,
  )
}
