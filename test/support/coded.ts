/** Answers as they come over the wire, in whatever coding, which `fetch` would undo. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'

export interface CodedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came. */
  readonly bytes: Buffer
  /** The body, decoded by its `content-encoding`. */
  readonly text: string
}

export interface CodedCall {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const decode = (coding: unknown, bytes: Buffer): Buffer => {
  if (coding === undefined || bytes.length === 0) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

/** Sends no `accept-encoding` but what is given. */
export async function callCoded(address: string, call: CodedCall = {}): Promise<CodedAnswer> {
  const { method = 'GET', token, headers, body } = call
  const response = await request(address, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body,
    // Not to be kept open: nothing of it is left behind by a test.
    reset: true,
  })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  const text = decode(response.headers['content-encoding'], bytes).toString()
  return { status: response.statusCode, headers: response.headers, bytes, text }
}
