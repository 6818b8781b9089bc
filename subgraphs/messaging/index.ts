/** Unified messaging, single SMS (contract document 2, part B). */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validateMessage } from './rules.ts'

export default defineSubgraph({
  name: 'messaging',
  settlement,
  validate: validateMessage,
  operations,
  resolvers,
  isOfDatabase: true,
})
