/** The graph as a client calls it; every error must carry a code of the catalogue with its status, and a reason. */

import { type ErrorCode, type Limit, statusIn } from '#core/errors/catalogue.ts'
import { REASONS, type Reason } from '#core/errors/reasons.ts'
import { ABSENT } from '../floors/floors.ts'

export interface GraphError {
  readonly message: string
  readonly path?: (string | number)[]
  readonly locations?: readonly { line: number; column: number }[]
  readonly extensions: {
    code: ErrorCode
    http: { status: number }
    reason: Reason
    field?: string
    /** For people: without the path. */
    sentence: string
    limit?: Limit
    existingId?: string
  }
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
  const { code, http, reason, field, existingId, sentence, limit, ...more } = extensions ?? {}
  const isKnown = statusIn(code, { reason }) === http?.status && reason in REASONS
  const texts = [field, existingId, sentence].every(text => text === undefined || typeof text === 'string')
  if (!isKnown || !texts || Object.keys(more).length > 0)
    throw new Error(`not an error of the catalogue: ${message} ${JSON.stringify(extensions)}`)
}

/** Whether operations are compiled: neither `TEST_WAY=apollo`, nor without the engine. */
export const IS_COMPILED = process.env['TEST_WAY'] !== 'apollo' && !ABSENT.includes('engine')

/** Whether queries are sent twice (`TEST_WAY=compiled`), so that tests see the execution of a known one. */
export const SENDS_TWICE = process.env['TEST_WAY'] === 'compiled'

const mayBeSentTwice = (query: string) => SENDS_TWICE && !/\b(mutation|subscription)\b/.test(query)

/** Makes the function that asks a server. */
export const createGraph =
  (address: string): Graph =>
  async (query, { token, variables, headers } = {}) => {
    const send = () =>
      fetch(`${address}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      })
    if (mayBeSentTwice(query)) await (await send()).text()
    const response = await send()
    const { data, errors = [] } = (await response.json()) as { data: unknown; errors?: GraphError[] }
    errors.forEach(checkError)
    return { status: response.status, headers: response.headers, data, errors }
  }
