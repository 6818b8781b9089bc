/**
 * The whole product on a database of its own, listening on a free port; disposes of itself. Where `TEST_TOPOLOGY` is
 * `separate`, a gateway and six services that reach each other by sockets alone.
 */

import { checkNewClient, type NewClient } from '#core/access/client-input.ts'
import { DECOY_HASH } from '#core/access/secrets.ts'
import type { ChargingSystem } from '#core/charging/charging.ts'
import { everywhere } from '#core/charging/charging.ts'
import { forbidTelemetry, readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { type AllInOneOptions, createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { openPooled, seedPooled } from './embedded.ts'
import { createScratch, createWithDemo, SECRETS_KEY } from './postgres.ts'
import { createSeparate } from './separate.ts'

/** Whether gateway and services are servers of their own. */
export const SEPARATE = process.env['TEST_TOPOLOGY'] === 'separate'

/** With `TEST_WAY=apollo` every operation goes Apollo's own way. */
const WAY = process.env['TEST_WAY'] === 'apollo' ? { COMPILED: '0' } : {}

export interface Stack extends AsyncDisposable {
  readonly app: App
  readonly server: RunningServer
  /** `http://127.0.0.1:<port>`. */
  readonly address: string
  /** A token for a client, which is added when it is new; the demo clients are there already. */
  token(client?: string | NewClient): Promise<string>
  /** Resolves when nothing posted is left to settle. */
  settled(): Promise<void>
  /** How many follow the event log, wherever they do. */
  listeners(): number
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
  readonly parts?: (app: App) => Promise<AllInOneOptions>
}

/** Whether the demo of the template is the one that a server with these settings would write. */
const wantsDemo = ({ DEMO = '1', COUNTRY_CODE, OPERATOR_TIMEZONE }: Record<string, string>) =>
  DEMO === '1' && !COUNTRY_CODE && !OPERATOR_TIMEZONE

const openDatabase = async ({
  databasePort,
  env = {},
}: TestAppOptions): Promise<{ env: Record<string, string>; drop(): Promise<void> }> => {
  if (process.env['TEST_DATABASE'] !== 'postgres')
    return { env: { DATA_DIR: 'memory:' }, drop: async () => undefined }
  const { url, drop } = await (wantsDemo(env) ? createWithDemo() : createScratch())
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
  /** The app of another process on the same database; the same app on the embedded one, which only one process may open. */
  another(): Promise<App>
  /** A token for a client, which is added when it is new; the demo clients are there already. */
  token(client?: string | NewClient): Promise<string>
}

/** Opens an app on a database that is dropped when it is disposed of. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env, charging, logLines } = options
  forbidTelemetry()
  const database = await openDatabase(options)
  const config = readConfig({ ...database.env, LOG_LEVEL: 'error', PORT: '0', ...WAY, ...env })
  const log = createLog(config.logLevel, logLines && { write: line => void logLines.push(line) })
  const opened: App[] = []
  const open = async () => {
    const one = await openApp(config, log, seedPooled, openPooled)
    opened.push(one)
    return charging ? { ...one, charging: everywhere(charging) } : one
  }
  const app = await open()
  return {
    app,
    another: async () => (app.database.embedded ? app : open()),
    token: (client = 'demo-partner') => issue(app, client),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map(one => one.database.close()))
      await database.drop()
    },
  }
}

/** A server, and the apps whose event feeds those listen to who listen to it. */
interface Started {
  readonly server: RunningServer
  readonly apps: readonly App[]
}

const startTogether = async ({ app }: TestApp, { parts }: StackOptions): Promise<Started> => ({
  server: await createAllInOne(app, await parts?.(app)),
  apps: [app],
})

/** Starts everything; use with `await using`, or dispose in `afterAll`. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const poolSize = SEPARATE && { DATABASE_POOL_SIZE: '2' }
  const opened = await openTestApp({ ...options, env: { ...poolSize, ...options.env } })
  const { app, token } = opened
  const { server, apps } = await (SEPARATE ? createSeparate : startTogether)(opened, options)
  const address = await server.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    server,
    address,
    token,
    listeners: () => [...new Set(apps)].reduce((sum, { feed }) => sum + feed.subscribers, 0),
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
