/** Prepaid recharge (contract document 2, part A). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { createRechargeService, settlement } from './service.ts'

export default defineSubgraph({
  name: 'prepaid',
  settlement,
  service: createRechargeService,
  operations,
  resolvers,
})
