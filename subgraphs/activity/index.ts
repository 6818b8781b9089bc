/** What spans the services: who asks, and a transaction of whichever kind. */
import { defineSubgraph } from '../shared/subgraph.ts'
import { resolvers } from './resolvers.ts'
import { createActivityService } from './service.ts'

export default defineSubgraph({ name: 'activity', service: createActivityService, resolvers })
