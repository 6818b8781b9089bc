/** The whole product on a database of its own, listening on a free port; disposes of itself. */
import { createAllInOne, type Parts, type RunningServer } from '../../gateway/all-in-one.ts'
import { checkNewClient, type NewClient } from '../../subgraphs/shared/access/client-input.ts'
import { DECOY_HASH } from '../../subgraphs/shared/access/secrets.ts'
import type { App } from '../../subgraphs/shared/app.ts'
import type { ChargingSystem } from '../../subgraphs/shared/charging/charging.ts'
import { forbidTelemetry, readConfig } from '../../subgraphs/shared/config.ts'
import { createLog } from '../../subgraphs/shared/log.ts'
import { openApp } from '../../subgraphs/shared/open-app.ts'
import { createScratch, SECRETS_KEY } from './postgres.ts'

export interface Stack extends AsyncDisposable {
  readonly app: App
  readonly server: RunningServer
  /** `http://127.0.0.1:<port>`. */
  readonly address: string
  /** A token for a client, which is added when it is new; the demo clients are there already. */
  token(client?: string | NewClient): Promise<string>
  /** Resolves when nothing posted is left to settle. */
  settled(): Promise<void>
}

export interface TestAppOptions {
  readonly env?: Record<string, string>
  /** Another charging system than the embedded ledger. */
  readonly charging?: ChargingSystem
  /** Another port under which the server of `TEST_DATABASE_URL` is reached. */
  readonly databasePort?: number
  /** Where log lines go; `LOG_LEVEL` in `env` says which. */
  readonly logLines?: string[]
}

export interface StackOptions extends TestAppOptions {
  readonly parts?: (app: App) => Promise<Parts>
}

const openDatabase = async ({
  databasePort,
}: TestAppOptions): Promise<{ env: Record<string, string>; drop(): Promise<void> }> => {
  if (process.env['TEST_DATABASE'] !== 'postgres')
    return { env: { DATA_DIR: 'memory:' }, drop: async () => undefined }
  const { url, drop } = await createScratch()
  const address = new URL(url)
  if (databasePort) address.port = String(databasePort)
  return { env: { DATABASE_URL: address.href, SECRETS_KEY, DEMO: '1' }, drop }
}

/** Hashing a secret takes long on purpose; a client that is given none needs none. */
const add = ({ access, db, config }: App, client: NewClient): Promise<unknown> =>
  client.secret
    ? access.clients.add(client)
    : db.client.create({ data: { ...checkNewClient(client, config.countryCode), secretHash: DECOY_HASH } })

const issue = async (app: App, client: string | NewClient): Promise<string> => {
  const { access } = app
  const id = typeof client === 'string' ? client : client.id
  if (typeof client !== 'string') await add(app, client)
  return access.issuer!.issue((await access.clients.find(id))!)
}

/** An app on a database of its own, and tokens for its clients. */
export interface TestApp extends AsyncDisposable {
  readonly app: App
  /** A token for a client, which is added when it is new; the demo clients are there already. */
  token(client?: string | NewClient): Promise<string>
}

/** Opens an app on a database that is dropped when it is disposed of. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env, charging, logLines } = options
  forbidTelemetry()
  const database = await openDatabase(options)
  const config = readConfig({ ...database.env, LOG_LEVEL: 'error', PORT: '0', ...env })
  const log = createLog(config.logLevel, logLines && { write: line => void logLines.push(line) })
  const opened = await openApp(config, log)
  const app = charging ? { ...opened, charging } : opened
  return {
    app,
    token: (client = 'demo-partner') => issue(app, client),
    async [Symbol.asyncDispose]() {
      await app.database.close()
      await database.drop()
    },
  }
}

/** Starts everything; use with `await using`, or dispose in `afterAll`. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const opened = await openTestApp(options)
  const { app, token } = opened
  const server = await createAllInOne(app, await options.parts?.(app))
  const address = await server.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    server,
    address,
    token,
    settled: async () => {
      // Once for what was posted, once for what follows it.
      for (let round = 0; round < 2; round++)
        await Promise.all(server.services.map(service => service.settled()))
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await opened[Symbol.asyncDispose]()
    },
  }
}
