/** `npm run start:gateway`: the gateway alone, over services that run as processes of their own. */
import { prepareDemo } from '../prisma/demo/seed.ts'
import { runProcess } from '../subgraphs/shared/process.ts'
import { banner } from './banner.ts'
import { createGatewayServer } from './gateway-server.ts'

await runProcess({ create: createGatewayServer, seed: prepareDemo, banner })
