/** Declarations that node-postgres lacks: a watcher of all statements of a connection, and the connection below. */
import type { Client, ClientConfig, CustomTypesConfig, PoolConfig, QueryConfig, QueryResult } from 'pg'

type Done = (error: Error | null, result: QueryResult) => void
type Send = (config: QueryConfig, values: unknown, done: Done) => void

/** Watches the statements of one connection. */
interface StatementWatcher {
  /**
   * Called when a statement is sent. The returned function is called at its response or failure, and must call `settle`,
   * possibly later, with the failure to pass on.
   */
  begin(text: string): (error: Error | null, settle: (error: Error | null) => void) => void
  /** Time that the driver waits for the response, in milliseconds; undefined for the connection's own limit. */
  limitOf(text: string): number | undefined
}

/** Passes all further statements of the connection to a watcher, in every form in which they can be given. */
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

/** The process id of PostgreSQL behind a connection, as reported by the server; a pooler reports any number. */
export const backendOf = (client: Client): number => (client as unknown as { processID: number }).processID

/** Number of bytes received over a connection. */
export const bytesReadOf = ({ connection }: Client): number =>
  (connection.stream as unknown as { bytesRead?: number }).bytesRead ?? 0

/** Values of a query as the server's texts, whose declared parsers are those of known types alone. */
export const AS_TEXT = { getTypeParser: () => (text: string) => text } as unknown as CustomTypesConfig

/** Parameters with which a session begins, by their names. */
export type StartupParameters = Readonly<Record<string, string>>

/** Changes the parameters with which each attempt of a client to connect begins its session. */
export function changeStartup(
  client: Client,
  change: (parameters: StartupParameters) => StartupParameters,
): void {
  const open = client as unknown as { getStartupConf(): StartupParameters }
  const own = open.getStartupConf.bind(client)
  open.getStartupConf = () => change(own())
}

/** Sends all further statements of the connection without names, so that nothing of them stays with the server. */
export function sendUnnamed(client: Client): void {
  const send = client.query.bind(client) as (given: unknown, ...rest: unknown[]) => unknown
  const unnamed = (given: unknown, ...rest: unknown[]) => {
    const isNamed = typeof given === 'object' && given !== null && 'name' in given && !('submit' in given)
    return send(isNamed ? { ...given, name: undefined } : given, ...rest)
  }
  client.query = unnamed as unknown as Client['query']
}

/** State of a client that was never connected, as the driver keeps it to itself. */
const UNCONNECTED = {
  _connecting: false,
  _connected: false,
  _connectionError: false,
  _ending: false,
  _ended: false,
  _queryable: true,
  _connectionCallback: null,
  _activeQuery: null,
  readyForQuery: false,
}

/**
 * Makes a client one that was never connected, so that it can connect to another host: the driver allows one attempt.
 * @param fresh a client of the same settings, which gives its connection away.
 */
export function prepareAttempt(client: Client, fresh: Client, timeoutMs: number): void {
  const { connection: left } = client
  left.removeAllListeners()
  left.on('error', () => undefined)
  left.stream.destroy()
  const { connection, host, port } = fresh
  Object.assign(client, UNCONNECTED, { connection, host, port, _connectionTimeoutMillis: timeoutMs })
}

/** A class of clients as a pool takes it, which gives each the pool's own settings. */
export const asPoolClient = (own: new (config: ClientConfig) => Client): PoolConfig['Client'] =>
  own as unknown as PoolConfig['Client']
