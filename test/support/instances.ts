/** Several instances of the product on one PostgreSQL, as behind a load balancer; disposes of itself. */

import { forbidTelemetry, readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { createScratch, SECRETS_KEY } from './postgres.ts'

export interface Instance extends AsyncDisposable {
  readonly app: App
  readonly address: string
  /** Resolves when nothing posted is left to settle or to follow. */
  settled(): Promise<void>
}

export interface Instances extends AsyncDisposable {
  readonly url: string
  /** Opens what an instance shares, without serving; closed at the end. */
  open(): Promise<App>
  /** Starts an instance that serves on a free port; stopped at the end. */
  start(): Promise<Instance>
}

const serve = async (app: App): Promise<Instance> => {
  const { http, services, stop } = await createAllInOne(app)
  return {
    app,
    address: await http.listen({ port: 0, host: '127.0.0.1' }),
    async settled() {
      // Once for what was posted, once for what follows it.
      for (let round = 0; round < 2; round++) await Promise.all(services.map(one => one.settled()))
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** A migrated database and whoever opens it; use with `await using`. */
export async function createInstances(env: Record<string, string> = {}): Promise<Instances> {
  forbidTelemetry()
  const { url, drop } = await createScratch()
  const config = readConfig({ DATABASE_URL: url, SECRETS_KEY, LOG_LEVEL: 'error', DEMO: '1', ...env })
  const toEnd: (() => PromiseLike<void>)[] = [drop]
  const open = async () => {
    const app = await openApp(config, createLog(config.logLevel), seedDemo)
    toEnd.unshift(() => app.database.close())
    return app
  }
  return {
    url,
    open,
    async start() {
      const instance = await serve(await open())
      toEnd.unshift(() => instance[Symbol.asyncDispose]())
      return instance
    },
    async [Symbol.asyncDispose]() {
      for (const end of toEnd) await end()
    },
  }
}
