/** How large an operation may be: what a portal never needs is refused before it is planned. */
import { protectionOf } from '../third-party/graphql-armor.ts'

/** Cost is counted in `cost.ts`, which knows the sizes of pages. */
const LIMITS = {
  maxDepth: { n: 15 },
  maxAliases: { n: 30 },
  maxDirectives: { n: 50 },
  maxTokens: { enabled: false },
  costLimit: { enabled: false },
  // Suggestions of enum values and types it does not know (`operation/error-format.ts`).
  blockFieldSuggestion: { enabled: false },
} as const

/** The parser's own count: GraphQL Armor's parses every operation a second time, and answers its refusals with 500. */
export const parseOptions = { maxTokens: 2_000 }

/** GraphQL Armor's plugins and validation rules. */
export const limits = () => protectionOf(LIMITS)
