/** The client of one server: its tokens, its REST contracts by their types, and its graph. */
import { jsonOf, Refusal, refusalOf, retryAfterOf } from './errors.ts'
import { createRest, type Rest } from './rest.ts'
import { type CredentialsOptions, clientCredentials, type TokenSource } from './tokens.ts'

/** Longest time in milliseconds for a request, its response included. */
const DEFAULT_TIMEOUT_MS = 15_000

interface Address {
  /** Address of the server, such as `https://graph.example`. */
  readonly address: string
  /** Limit for each request in milliseconds, 15 seconds unless set. */
  readonly timeoutMs?: number | undefined
}

interface WithSecret extends Address, Pick<CredentialsOptions, 'clientId' | 'clientSecret'> {}

interface WithTokens extends Address {
  /**
   * Gives a token for each request: in a page, that of the session. `refused` is a token that the server did not accept.
   */
  readonly token: (refused?: string) => string | Promise<string>
}

/** A client signs in with a secret, or is given tokens. */
export type ClientOptions = WithSecret | WithTokens

export interface Client extends TokenSource {
  readonly address: string
  /** The REST contracts by path: `rest.post('/postpaid-billing/v1/payments', { body })`. */
  readonly rest: Rest
  /**
   * A request with a token; one that is answered 401 is sent once more with a new token.
   * @param limitMs another limit than the client's, for a request that waits on purpose.
   */
  fetch(request: Request, limitMs?: number): Promise<Response>
  /**
   * Data of an operation of the graph.
   * @throws Refusal with the code of the first error, where there is any.
   */
  graph<Data>(query: string, variables?: object, signal?: AbortSignal): Promise<Data>
}

interface GraphError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly http?: { readonly status?: number } }
}

/** Makes the error of errors of the graph. */
export const refusalOfGraph = (errors: readonly GraphError[], response?: Response): Refusal => {
  const { code = 'SERVER_ERROR', http } = errors[0]?.extensions ?? {}
  return new Refusal(errors.map(({ message }) => message).join('\n'), {
    status: http?.status ?? response?.status ?? 500,
    code,
    correlator: response?.headers.get('x-correlator') ?? undefined,
    retryAfterMs: response && retryAfterOf(response.headers),
  })
}

const tokensOf = (options: ClientOptions): TokenSource =>
  'token' in options ? { token: async refused => options.token(refused) } : clientCredentials(options)

/** Makes the client of a server. */
export function createClient(options: ClientOptions): Client {
  const { address, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { token } = tokensOf(options)
  const send = (request: Request, value: string, limitMs: number) => {
    const copy = new Request(request.clone(), {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(limitMs)]),
    })
    copy.headers.set('authorization', `Bearer ${value}`)
    return fetch(copy)
  }
  const authorized = async (request: Request, limitMs = timeoutMs): Promise<Response> => {
    const first = await token()
    const response = await send(request, first, limitMs)
    if (response.status !== 401) return response
    await response.body?.cancel()
    return send(request, await token(first), limitMs)
  }
  return {
    address,
    token,
    fetch: authorized,
    rest: createRest(address, request => authorized(request)),
    async graph<Data>(query: string, variables = {}, signal?: AbortSignal) {
      const response = await authorized(
        new Request(new URL('/graphql', address), {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
          body: JSON.stringify({ query, variables }),
          signal: signal ?? null,
        }),
      )
      const body = (await jsonOf(response)) as { data?: Data; errors?: GraphError[] } | undefined
      if (body?.errors) throw refusalOfGraph(body.errors, response)
      if (!response.ok || !body?.data) throw refusalOf(response, body)
      return body.data
    },
  }
}
