/** Postpaid bill payment with customer and dues inquiry (contract document 1). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { createPaymentService, settlement } from './service.ts'

export default defineSubgraph({
  name: 'postpaid-billing',
  settlement,
  service: createPaymentService,
  operations,
  resolvers,
})
