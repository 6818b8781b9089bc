/** REST as a client calls it; every response is held against the OpenAPI document of its path. */
import { type Answer, faultsOfAnswer } from './openapi.ts'

export interface RestCall {
  readonly token?: string
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

export interface RestAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  readonly body: any
  readonly text: string
}

export type Rest = (method: string, path: string, call?: RestCall) => Promise<RestAnswer>

const headersOf = ({ token, body, raw, headers }: RestCall): Record<string, string> => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
  ...headers,
})

const read = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** Makes the function that calls a server. */
export const createRest =
  (address: string): Rest =>
  async (method, path, call = {}) => {
    const response = await fetch(address + path, {
      method,
      headers: headersOf(call),
      body: call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body)),
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, body: read(text), text }
    const faults = method === 'HEAD' ? [] : faultsOfAnswer(method, path.split('?', 1)[0]!, answer)
    if (faults.length > 0)
      throw new Error(`${method} ${path} ${answer.status}: ${faults.join('; ')}\n${text}`)
    return answer
  }
