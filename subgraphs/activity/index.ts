/** Subgraph that spans the services: the client itself, a transaction of any kind, the timeline and its sums. */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { registerExports } from './export/route.ts'
import { startProjector } from './projection/project.ts'
import { resolvers } from './resolvers.ts'
import { createActivityService } from './service.ts'

export default defineSubgraph({
  name: 'activity',
  service: createActivityService,
  resolvers,
  paths: registerExports,
  startWorker: startProjector,
})
