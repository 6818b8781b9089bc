/** Postpaid bill payment with customer and dues inquiry (contract document 1). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validatePayment } from './rules.ts'

export default defineSubgraph({
  name: 'postpaid-billing',
  settlement,
  validate: validatePayment,
  operations,
  resolvers,
  isOfDatabase: true,
})
