/** Prepaid recharge (contract document 2, part A). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validateRecharge } from './rules.ts'

export default defineSubgraph({
  name: 'prepaid',
  settlement,
  validate: validateRecharge,
  operations,
  resolvers,
  isOfDatabase: true,
})
