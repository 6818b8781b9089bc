/** Our side of P0: the HTTP server as every service has it, with token, quotas and metrics, over what costs nothing. */

import { forbidTelemetry, readConfig } from '#core/config/config.ts'
import { createServer } from '#core/create-server.ts'
import { authenticate } from '#core/http/authenticate.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { seedDemo } from '#prisma/demo/seed.ts'

forbidTelemetry()
const config = readConfig()
const app = await openApp(config, createLog(config.logLevel), seedDemo)
const server = await createServer(app, async ({ http }) => {
  const onRequest = authenticate(app)
  http.get('/plain', { onRequest }, async () => ({ ok: true }))
  http.post('/plain', { onRequest }, async ({ body }) => body)
  return {}
})
await server.http.listen({ port: config.port, host: config.host })
process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
