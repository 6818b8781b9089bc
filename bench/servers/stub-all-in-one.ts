/** Our side of P2 and P14: the whole program, with stub subgraphs in the place of the services. */

import { buildSubgraphSchema } from '@apollo/subgraph'
import { forbidTelemetry, readConfig } from '#core/config/config.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { QUOTAS } from '../lib/fill.ts'
import { PAGE } from './stub-page.ts'
import { STUBS, type Stub } from './stub-subgraphs.ts'
import { supergraphOf } from './stub-supergraph.ts'

const nothing = async () => undefined

const toSubgraph = ({ name, typeDefs, resolvers }: Stub): Subgraph => ({
  name,
  schema: buildSubgraphSchema({ typeDefs, resolvers }),
  context: caller => ({ caller }),
  start: nothing,
  settled: nothing,
  stop: nothing,
})

forbidTelemetry()
const config = readConfig()
const app = await openApp(config, createLog(config.logLevel), seedDemo)
await app.db.client.update({ where: { id: 'demo-analyst' }, data: { quotas: QUOTAS } })
const stubs = process.env['STUBS'] === 'page' ? [PAGE] : STUBS
const server = await createAllInOne(app, {
  services: stubs.map(toSubgraph),
  supergraphSdl: supergraphOf(1, stubs),
})
await server.http.listen({ port: config.port, host: config.host })
process.once('SIGTERM', () => server.stop().then(() => process.exit(0)))
