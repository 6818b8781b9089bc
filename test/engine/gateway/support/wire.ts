/** Support for the tests over the wire: two servers, tokens, and the comparison of both. */
import { createHash } from 'node:crypto'
import { Kind, parse, print } from 'graphql'
import { expect } from 'vitest'
import { readText } from '#test/support/sources.ts'
import { startTwoServers, type TwoServers, type WireAnswer, type WireRequest } from './two-servers.ts'

export const CUSTOMER_360 = readText('schema/operations/customer-360.graphql')
export const NUMBER = '+96891000002'
export const CLIENTS = ['demo-partner', 'demo-portal', 'demo-analyst'] as const

/** A fraction of it, unless the machine is very busy. */
export const TIMEOUT = 300_000

export interface Wire extends AsyncDisposable {
  readonly servers: TwoServers
  token(client: string): string
  /** Posts to both, to the compiled one so often, and expects the same each time. */
  same(request: WireRequest, times?: number): Promise<WireAnswer>
  /** Posts to each what is meant for it. */
  sameFor(askOf: (server: 'a' | 'c') => WireRequest): Promise<void>
  portal(body: unknown, more?: Partial<WireRequest>): WireRequest
  /** Posts it twice, so that the next begins at the compiled operation. */
  warm(body: object, client?: string): Promise<void>
}

/** Values that are new each time; the correlation ids distinguish the two servers' requests. */
const masked = (body: string) =>
  body
    .replace(/"(id)":"[^"]*"/g, '"$1":"…"')
    .replace(/"durationMs":\d+/, '"durationMs":…')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/(wire|example)-(a|c)-/g, '$1-…-')

const describeRequest = ({ body }: WireRequest) => (JSON.stringify(body) ?? '').slice(0, 300)

/** Starts both servers, with tokens of the demo clients. */
export async function openWire(): Promise<Wire> {
  const servers = await startTwoServers()
  const tokens: Record<string, string> = {}
  for (const client of CLIENTS) tokens[client] = await servers.opened.token(client)
  return {
    servers,
    token: client => tokens[client]!,
    async same(request, times = 3) {
      const expected = await servers.byApollo(request)
      for (let time = 0; time < times; time++)
        expect(await servers.compiled(request), describeRequest(request)).toEqual(expected)
      return expected
    },
    async sameFor(askOf) {
      const compiled = await servers.compiled(askOf('c'))
      const byApollo = await servers.byApollo(askOf('a'))
      const shownOf = ({ status, headers, body }: WireAnswer) => {
        const withoutLength = headers.filter(header => !header.startsWith('content-length'))
        return { status, headers: withoutLength, body: masked(body) }
      }
      expect(shownOf(compiled), describeRequest(askOf('c'))).toEqual(shownOf(byApollo))
    },
    portal: (body, more) => ({ body, token: tokens['demo-portal'], ...more }),
    async warm(body, client = 'demo-portal') {
      for (let time = 0; time < 2; time++) await servers.compiled({ body, token: tokens[client] })
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  }
}

/** The operations of a file of examples, each alone. */
export const examplesOf = (file: string): { name: string; query: string }[] =>
  parse(readText(`schema/examples/${file}.graphql`)).definitions.flatMap(node =>
    node.kind === Kind.OPERATION_DEFINITION ? [{ name: node.name!.value, query: print(node) }] : [],
  )

/** A body with the hash of a persisted query. */
export function hashed(query: string, body: object, sha256Hash?: string, version = 1) {
  const own = createHash('sha256').update(query).digest('hex')
  return { ...body, extensions: { persistedQuery: { version, sha256Hash: sha256Hash ?? own } } }
}
