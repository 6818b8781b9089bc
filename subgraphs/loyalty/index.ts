/** Loyalty reward points (contract document 3, part A). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validateReward } from './rules.ts'

export default defineSubgraph({
  name: 'loyalty',
  settlement,
  validate: validateReward,
  operations,
  resolvers,
  isOfDatabase: true,
})
