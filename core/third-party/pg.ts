/** node-postgres, where its declarations do not say all: each statement of a connection, in every form it is given in, and the connection under it. */
import type { Client, QueryConfig, QueryResult } from 'pg'

type Done = (error: Error | null, result: QueryResult) => void
type Send = (config: QueryConfig, values: unknown, done: Done) => void

/** Sees the statements of one connection. */
export interface StatementWatcher {
  /**
   * Called when a statement is sent. What it returns is called when it failed or was answered, and calls `settle` with the
   * failure as it is passed on, whenever that is to be.
   */
  begin(text: string): (error: Error | null, settle: (error: Error | null) => void) => void
  /** How long the driver waits for the answer, in milliseconds; what the connection was opened with where undefined. */
  limitOf(text: string): number | undefined
}

/** Has a watcher see all statements that the connection is given from now on. */
export function watchStatements(client: Client, watcher: StatementWatcher): void {
  const send = client.query.bind(client) as unknown as Send
  const watched = (given: string | QueryConfig, values?: unknown, callback?: Done) => {
    const config = typeof given === 'string' ? { text: given } : given
    const limit = watcher.limitOf(config.text)
    const ended = watcher.begin(config.text)
    const give = typeof values === 'function' ? (values as Done) : callback
    const sendTo = (done: Done) =>
      send(
        limit === undefined ? config : Object.assign({ ...config }, { query_timeout: limit }),
        typeof values === 'function' ? undefined : values,
        (error, result) => ended(error, passed => done(passed, result)),
      )
    if (give) return sendTo(give)
    return new Promise((resolve, reject) => {
      sendTo((error, result) => (error ? reject(error) : resolve(result)))
    })
  }
  client.query = watched as unknown as Client['query']
}

/** The process of PostgreSQL behind a connection, by its own word; a pooler says some number. */
export const backendOf = (client: Client): number => (client as unknown as { processID: number }).processID

/** How many bytes have come over a connection. */
export const bytesReadOf = ({ connection }: Client): number =>
  (connection.stream as unknown as { bytesRead?: number }).bytesRead ?? 0
