/** One client as it calls servers: with a token of its own, in turns, each call and answer noted whole. */

import { createHash } from 'node:crypto'
import type { Via } from '../history/lines.ts'
import type { NewAnswer, NewCall, Recorder } from '../history/recorder.ts'
import { secretOf } from '../stage/clients.ts'

/** Beyond the program's own limit on a request, so that its refusal comes first. */
const PATIENCE_MS = 14_000
const HEADERS = [
  'location',
  'retry-after',
  'x-total-count',
  'content-last-key',
  'idempotency-replayed',
  'x-correlator',
]

export interface Request {
  readonly op: string
  readonly via: Via
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly posts?: NewCall['posts']
  readonly about?: NewCall['about']
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the bytes of the answer are digested. */
  readonly isDigested?: boolean
  /** The part of the body that the history keeps; all of it unless given. */
  readonly keep?: (body: unknown) => unknown
}

export interface CallerOptions {
  readonly id: string
  readonly addresses: readonly string[]
  readonly recorder: Recorder
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export class Caller {
  readonly id: string
  readonly #options: CallerOptions
  #token: string | undefined
  #turn = 0

  constructor(options: CallerOptions) {
    this.id = options.id
    this.#options = options
  }

  /** Asks for a token where there is none yet. @throws Error where no server gives one. */
  async token(address = this.nextAddress()): Promise<string> {
    if (this.#token) return this.#token
    const response = await fetch(`${address}/oauth2/accesstoken`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${this.id}:${secretOf(this.id)}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const body = (await response.json()) as { access_token?: string }
    if (!body.access_token) throw new Error(`no token: ${response.status}`)
    this.#token = body.access_token
    return this.#token
  }

  /** Asks for another one next time. */
  forgetToken(): void {
    this.#token = undefined
  }

  nextAddress(): string {
    const { addresses } = this.#options
    return addresses[this.#turn++ % addresses.length]!
  }

  /** Sends a request and gives its answer; undefined where it could not be sent for want of a token. */
  async call(request: Request): Promise<NewAnswer | undefined> {
    const address = this.nextAddress()
    const token = await this.token(address).catch(() => undefined)
    if (!token) return undefined
    const { recorder } = this.#options
    const { keep = body => body, op, via, path, body, posts, about, method = 'GET' } = request
    const n = recorder.begin({
      client: this.id,
      via,
      address,
      op,
      method,
      path,
      ...(body !== undefined && { body }),
      ...(posts && { posts }),
      ...(about && { about }),
    })
    const answer = await this.#send(address, token, { ...request, method })
    if (answer.status === 401) this.forgetToken()
    recorder.end(n, { ...answer, ...('body' in answer && { body: keep(answer.body) }) })
    return answer
  }

  async #send(
    address: string,
    token: string,
    { method = 'GET', path, body, headers, isDigested }: Request,
  ): Promise<NewAnswer> {
    try {
      const response = await fetch(address + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const kept = HEADERS.flatMap(name => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      return {
        status: response.status,
        headers: Object.fromEntries(kept),
        ...(isDigested && { digest: createHash('sha256').update(bytes).digest('base64') }),
        body: parsed(bytes.toString()),
      }
    } catch (error) {
      return { status: 0, error: String((error as Error).cause ?? error) }
    }
  }

  /** A query or mutation. */
  graph(
    request: Omit<Request, 'via' | 'path' | 'body' | 'method'>,
    query: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<NewAnswer | undefined> {
    return this.call({
      ...request,
      via: 'graph',
      method: 'POST',
      path: '/graphql',
      body: { query, variables },
    })
  }
}
