/** Codings of content (RFC 9110 §8.4.1): which of them a client takes, and what makes them. */
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import { preferencesOf } from './quality-values.ts'

/** Ours: `br` is the better one where a client takes both alike. */
export type Coding = 'br' | 'gzip'

/** Less than this is as many packets without a coding; in bytes. */
export const MIN_BYTES = 1_024

/** So that it costs less than it brings: the usual quality of 11, and a window of 4 MiB, are for what is compressed once. */
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 4 }

/** The coding that a client likes best (RFC 9110 §12.5.3); undefined where it takes none of ours, or names none. */
export function codingOf(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = new Map(preferencesOf(acceptEncoding).map(({ name, weight }) => [name, weight]))
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  const weight = weightOf(best)
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? best : undefined
}

type Done = (error: Error | null, encoded: Buffer) => void

/** So much is encoded in a fifth of a millisecond, which is less than handing it to another thread costs; in bytes. */
const AT_ONCE_BYTES = 65_536

const encodeAtOnce = (coding: Coding, body: string | Buffer): Buffer =>
  coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP)

/** Encodes what stands in memory as a whole; what is large in zlib's own threads, so that nobody waits for it. */
export function encode(coding: Coding, body: string | Buffer, done: Done): void {
  if (Buffer.byteLength(body) <= AT_ONCE_BYTES) done(null, encodeAtOnce(coding, body))
  else if (coding === 'br') brotliCompress(body, BROTLI, done)
  else gzip(body, GZIP, done)
}

/** Encodes what comes by and by. */
export const createEncoder = (coding: Coding) =>
  coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)
