/** `npm run start:gateway`: the gateway alone, over services that run as processes of their own. */

import { runProcess } from '#core/process.ts'
import { banner } from '#gateway/banner.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { createGatewayServer } from '#topology/gateway-server.ts'

const USAGE = `SUBGRAPH_URLS=name=url,… npm run start:gateway

Serves the graph alone, over services that run as processes of their own (SUBGRAPH_URLS).`

await runProcess({
  name: 'partner-graph-gateway',
  usage: USAGE,
  create: createGatewayServer,
  seed: prepareDemo,
  banner,
})
