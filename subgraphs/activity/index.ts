/** What spans the services: who asks, a transaction of whichever kind, the timeline and what it adds up to. */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { registerExports } from './export/route.ts'
import { startProjector } from './projection/projector.ts'
import { resolvers } from './resolvers.ts'
import { createActivityService } from './service.ts'

export default defineSubgraph({
  name: 'activity',
  service: createActivityService,
  resolvers,
  paths: registerExports,
  startWorker: startProjector,
})
