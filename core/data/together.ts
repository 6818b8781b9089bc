/**
 * Statements of one turn of the event loop over one connection, all of them sent before the first is answered: they take one
 * round trip, and wake one process of the database. Each is a transaction of its own, so that none fails for another.
 * But each waits for those before it: only what reads little, whatever is asked for, may go this way.
 */
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'

/** Beyond these, to wait for each other would take longer than another connection does. */
const MOST = 8

interface Statement extends PromiseWithResolvers<QueryResult> {
  readonly config: QueryConfig
}

/** Sends them, and gives the connection back with the last answer; one that was lost is not used again. */
const sendAll = (client: PoolClient, statements: readonly Statement[]): void => {
  let left = statements.length
  let lost: Error | undefined
  const lose = (error: Error) => {
    lost ??= error
  }
  client.on('error', lose)
  const answered = () => {
    left -= 1
    if (left > 0) return
    client.off('error', lose)
    client.release(lost)
  }
  const { stream } = client.connection
  stream.cork()
  for (const { config, resolve, reject } of statements)
    client.query(config, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result)
      answered()
    })
  stream.uncork()
}

const send = (pool: Pool, statements: readonly Statement[]): Promise<void> =>
  pool.connect().then(
    client => sendAll(client, statements),
    error => {
      for (const { reject } of statements) reject(error)
    },
  )

/** Makes the function that runs a statement together with the others of its turn. The connections of the pool must be such as send statements while others run (`pipeline`). */
export const runTogether = (pool: Pool): ((config: QueryConfig) => Promise<QueryResult>) => {
  let waiting: Statement[] = []
  const flush = () => {
    const statements = waiting
    waiting = []
    for (let at = 0; at < statements.length; at += MOST) void send(pool, statements.slice(at, at + MOST))
  }
  return config => {
    const statement = { config, ...Promise.withResolvers<QueryResult>() }
    if (waiting.push(statement) === 1) process.nextTick(flush)
    return statement.promise
  }
}
