/** Loyalty reward points (contract document 3, part A). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { createRewardService, settlement } from './service.ts'

export default defineSubgraph({
  name: 'loyalty',
  settlement,
  service: createRewardService,
  operations,
  resolvers,
})
