/** Events of a subscriber that begins at the log's very beginning: the same from each server. */
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

export interface FirstEvents {
  /** `ws://…/graphql` */
  readonly url: string
  readonly token: string
  /** Takes `$after`. */
  readonly query: string
  readonly count: number
}

const BEGINNING = Buffer.from('e1:0').toString('base64url')

/** The first results, as they came. */
export async function firstEvents({ url, token, query, count }: FirstEvents): Promise<unknown[]> {
  const connectionParams = { Authorization: token }
  const client = createClient({ url, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 })
  const results: unknown[] = []
  for await (const result of client.iterate({ query, variables: { after: BEGINNING } })) {
    if (results.push(result) === count) break
  }
  await client.dispose()
  return results
}
