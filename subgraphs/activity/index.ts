/** Subgraph that spans the services: the client itself, a transaction of any kind, the timeline and its sums. */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { PARTNER_DOCUMENT } from './partner/events.ts'
import { partnerOperations } from './partner/operations.ts'
import { registerPaths } from './paths.ts'
import { resolvers } from './resolvers.ts'
import { createActivityService } from './service.ts'
import { startWork } from './work.ts'

export default defineSubgraph({
  ...{ name: 'activity', contract: PARTNER_DOCUMENT },
  service: createActivityService,
  ...{ operations: partnerOperations, resolvers },
  paths: registerPaths,
  startWorker: startWork,
  isOfDatabase: true,
})
