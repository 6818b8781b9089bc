/** `npm run start:gateway`: the gateway alone, over services that run as processes of their own. */
import { onDatabase, runProcess } from '../subgraphs/shared/process.ts'
import { greeting } from './greeting.ts'
import { createGatewayServer } from './server.ts'

await runProcess({ serve: onDatabase(createGatewayServer), greeting })
