/**
 * A sixth service, as small as one can be that posts, settles, sends webhooks and appears in the timeline: what adding
 * one takes (docs/adding-a-service.md). It stands here, and so it says itself where its documents are.
 */
import { defineSubgraph } from '#core/define-subgraph.ts'
import { operations } from './operations.ts'
import { resolvers } from './resolvers.ts'
import { settlement, validateTicket } from './rules.ts'

export default defineSubgraph({
  name: 'parking',
  documents: import.meta.dirname,
  settlement,
  validate: validateTicket,
  operations,
  resolvers,
})
