/** Points redemption (contract document 3, part B). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validateRedemption } from './rules.ts'

export default defineSubgraph({
  name: 'redemption',
  settlement,
  validate: validateRedemption,
  operations,
  resolvers,
  isOfDatabase: true,
})
