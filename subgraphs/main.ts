/** `npm run start:subgraph -- <name>`: one service alone. */

import { runProcess } from '#core/process.ts'
import { printUsage } from '#core/usage.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { SERVICES, type ServiceName } from './names.ts'
import { createSubgraphServer } from './subgraph-server.ts'

const banner = ({ name, rest }: ServiceName, address: string) =>
  [
    `partner-graph ${name} is ready at ${address}`,
    `  subgraph       ${address}/graphql`,
    ...(rest ? [`  REST           see schema/${name}.openapi.yaml`] : []),
    `  health         ${address}/health/ready, ${address}/metrics`,
  ].join('\n')

const NAMES = SERVICES.map(one => one.name).join(', ')

const USAGE = `npm run start:subgraph -- <name>

Serves one service alone: ${NAMES}.`

const [, , name] = process.argv
const service = SERVICES.find(one => one.name === name)
if (service) {
  await runProcess({
    name: `partner-graph-${service.name}`,
    usage: USAGE,
    words: 1,
    create: app => createSubgraphServer(app, service.name),
    seed: prepareDemo,
    banner: address => banner(service, address),
    defaultPort: service.port,
  })
} else if (!printUsage(USAGE, undefined, 1)) {
  console.error(`${name ? `There is no service ${name}:` : 'Which service?'} name one of ${NAMES}`)
  process.exitCode = 1
}
