/** The graph as a client calls it; every error must carry a code of the catalogue with its status. */
import { type ErrorCode, STATUS_OF } from '../../subgraphs/shared/errors/catalogue.ts'

export interface GraphError {
  readonly message: string
  readonly path?: (string | number)[]
  readonly extensions: { code: ErrorCode; http: { status: number }; existingId?: string }
}

export interface GraphAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  readonly data: any
  readonly errors: GraphError[]
}

export type Graph = (
  query: string,
  options?: { token?: string; variables?: object; headers?: Record<string, string> },
) => Promise<GraphAnswer>

const checkError = ({ message, extensions }: GraphError) => {
  const { code, http, existingId: _id, ...more } = extensions ?? {}
  if (STATUS_OF[code] !== http?.status || Object.keys(more).length > 0)
    throw new Error(`not an error of the catalogue: ${message} ${JSON.stringify(extensions)}`)
}

/** Makes the function that asks a server. */
export const createGraph =
  (address: string): Graph =>
  async (query, { token, variables, headers } = {}) => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors = [] } = (await response.json()) as { data: unknown; errors?: GraphError[] }
    errors.forEach(checkError)
    return { status: response.status, headers: response.headers, data, errors }
  }
