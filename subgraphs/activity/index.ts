/** What spans the services: who asks, a transaction of whichever kind, the timeline and what it adds up to. */
import { defineSubgraph } from '../shared/define-subgraph.ts'
import { startProjector } from './projection/projector.ts'
import { resolvers } from './resolvers.ts'
import { createActivityService } from './service.ts'

export default defineSubgraph({
  name: 'activity',
  service: (app, _store, kinds) => createActivityService(app, kinds),
  resolvers,
  startWorker: startProjector,
})
