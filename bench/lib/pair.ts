/** Our program and the bare server, each on a PostgreSQL database of its own with the same content. */
import { deepStrictEqual } from 'node:assert/strict'
import type pg from 'pg'
import { fillClients, fillDirectory } from './fill.ts'
import { createScratch, SECRETS_KEY } from './scratch.ts'
import { type Server, startServer } from './server.ts'

export interface Pair extends AsyncDisposable {
  readonly ours: Server
  readonly bare: Server
  readonly ourDatabase: pg.Client
  readonly bareDatabase: pg.Client
  /** Request headers with a token of this client, good for both. */
  headers(client: string): Promise<Record<string, string>>
}

/** Request headers with a token of this client, whose secret is its id with `-secret` appended unless given. */
export const tokenHeaders = async (
  address: string,
  client: string,
  secret = `${client}-secret`,
): Promise<Record<string, string>> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
}

/** Starts both; clients and directory are there already when `fill` is called. */
export async function startPair(
  fill: (client: pg.Client) => Promise<void>,
  flags: readonly string[],
): Promise<Pair> {
  await using stack = new AsyncDisposableStack()
  const open = async () => {
    const scratch = stack.use(await createScratch())
    await fillClients(scratch.client)
    await fillDirectory(scratch.client)
    await fill(scratch.client)
    return scratch
  }
  const [mine, theirs] = [await open(), await open()]
  const env = { DATABASE_URL: mine.url, SECRETS_KEY }
  const ours = stack.use(await startServer('gateway/main.ts', { env, flags }))
  const bareEnv = { DATABASE_URL: theirs.url, ISSUER: ours.address }
  const bare = stack.use(await startServer('bench/servers/bare.ts', { env: bareEnv }))
  const kept = stack.move()
  return {
    ours,
    bare,
    ourDatabase: mine.client,
    bareDatabase: theirs.client,
    headers: client => tokenHeaders(ours.address, client),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Answers of both to the same request must be equal, apart from ids and times. */
export async function assertSameAnswer(
  requests: readonly (readonly [address: string, init?: RequestInit])[],
  free: (response: Record<string, unknown>) => unknown = response => response,
): Promise<void> {
  const responses = await Promise.all(
    requests.map(async ([address, init]) => {
      const response = await fetch(address, init)
      const headers = ['content-last-key', 'x-total-count'].map(name => response.headers.get(name))
      return {
        status: response.status,
        headers,
        body: free((await response.json()) as Record<string, unknown>),
      }
    }),
  )
  for (const response of responses.slice(1)) deepStrictEqual(response, responses[0])
}
