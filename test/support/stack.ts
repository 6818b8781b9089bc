/** The whole product on a database of its own, listening on a free port; disposes of itself. */
import { createAllInOne, type Parts, type RunningServer } from '../../gateway/all-in-one.ts'
import { openApp } from '../../gateway/app.ts'
import type { NewClient } from '../../subgraphs/shared/access/client-input.ts'
import type { App } from '../../subgraphs/shared/app.ts'
import type { ChargingSystem } from '../../subgraphs/shared/charging/charging.ts'
import { forbidTelemetry, readConfig } from '../../subgraphs/shared/config.ts'
import { createLog } from '../../subgraphs/shared/log.ts'
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

export interface StackOptions {
  readonly env?: Record<string, string>
  readonly parts?: (app: App) => Promise<Parts>
}

const openDatabase = async (): Promise<{ env: Record<string, string>; drop(): Promise<void> }> => {
  if (process.env['TEST_DATABASE'] !== 'postgres')
    return { env: { DATA_DIR: 'memory:' }, drop: async () => undefined }
  const { url, drop } = await createScratch()
  return { env: { DATABASE_URL: url, SECRETS_KEY, DEMO: '1' }, drop }
}

const issue = async ({ access }: App, client: string | NewClient): Promise<string> => {
  const id = typeof client === 'string' ? client : client.id
  if (typeof client !== 'string') await access.clients.add(client)
  return access.issuer!.issue((await access.clients.find(id))!)
}

/** Starts everything; use with `await using`, or dispose in `afterAll`. */
export async function startStack({ env, parts, charging, logLines }: StackOptions = {}): Promise<Stack> {
  forbidTelemetry()
  const database = await openDatabase()
  const config = readConfig({ ...database.env, LOG_LEVEL: 'error', PORT: '0', ...env })
  const log = createLog(config.logLevel, logLines && { write: line => void logLines.push(line) })
  const opened = await openApp(config, log)
  const app = charging ? { ...opened, charging } : opened
  const server = await createAllInOne(app, await parts?.(app))
  const address = await server.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    server,
    address,
    token: (client = 'demo-partner') => issue(app, client),
    settled: async () => {
      // Once for what was posted, once for what follows it.
      for (let round = 0; round < 2; round++)
        await Promise.all(server.services.map(service => service.settled()))
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      await app.database.close()
      await database.drop()
    },
  }
}
