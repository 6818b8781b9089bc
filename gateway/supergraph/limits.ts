/** Limits of an operation: one that is larger than a portal ever needs is refused before it is planned. */

import type { ApolloServerPlugin } from '@apollo/server'
import { type ASTNode, GraphQLError, type ValidationRule } from 'graphql'
import { invalidField, toGraphQL } from '#core/errors/catalogue.ts'
import type { GatewayContext } from '../operation/context.ts'
import { protectionOf } from '../third-party/graphql-armor.ts'

/** Cost is counted in `cost.ts`, which knows the sizes of pages. */
const LIMITS = {
  maxDepth: { n: 15 },
  maxAliases: { n: 30 },
  maxDirectives: { n: 50 },
  maxTokens: { enabled: false },
  costLimit: { enabled: false },
  // It would leave suggestions of enum values and types: `operation/error-format.ts` removes all of them.
  blockFieldSuggestion: { enabled: false },
} as const

/** Limit of tokens in the parser: GraphQL Armor's would parse every operation twice, and refuses with status 500. */
export const parseOptions = { maxTokens: 2_000 }

/** Plugins and validation rules of GraphQL Armor. */
export const limits = () => protectionOf(LIMITS)

/** Levels of a value; inputs of the graph have at most five, a custom scalar would take any number. */
const MAX_LEVELS = 10

/** Refuses lists and objects that are nested deeper: the time to plan a literal doubles with each level of lists. */
export const limitValueDepth: ValidationRule = context => {
  let levels = 0
  const enter = (node: ASTNode) => {
    levels += 1
    if (levels !== MAX_LEVELS + 1) return
    const message = `A value must not be nested deeper than ${MAX_LEVELS} levels`
    context.reportError(new GraphQLError(message, { nodes: node }))
  }
  const leave = () => {
    levels -= 1
  }
  return { ListValue: { enter, leave }, ObjectValue: { enter, leave } }
}

/**
 * Operation check: refuses a request whose `operationName` names no operation, or is absent where there are several. Apollo
 * Server would respond with 500 to an empty name.
 */
export const requireKnownOperation: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        if (!operation)
          throw toGraphQL(invalidField('operationName', 'UNKNOWN_VALUE', 'must name one of the operations'))
      },
    }
  },
}
