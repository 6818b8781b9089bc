/** What a client's operation may cost, alone and with its others of the last minute, is checked before it is planned. */
import { type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import { GraphQLError } from 'graphql'
import type { ClientUsage } from '../../subgraphs/shared/access/client-usage.ts'
import { asServiceError } from '../../subgraphs/shared/errors/catalogue.ts'
import { createCostLimit, MAX_COST } from '../../subgraphs/shared/graph/cost.ts'
import type { GatewayContext } from '../operation/context.ts'

/** The refusal with its headers (`retry-after`), where Apollo Server looks for them. */
const toRefusal = (error: unknown): GraphQLError => {
  const { status, headers, code, message, extensions } = asServiceError(error)
  const http = { status, headers: new HeaderMap(Object.entries(headers)) }
  return new GraphQLError(message, { extensions: { ...extensions, code, http } })
}

/**
 * Refuses operations that could come to more than `MAX_COST` fields, and those of a client that has used up what it may
 * in a minute. Each operation is counted once, whatever it comes by; a subscription when it begins.
 */
export const limitCost = (usage: ClientUsage): ApolloServerPlugin<GatewayContext> => {
  const check = createCostLimit(MAX_COST)
  return {
    async requestDidStart({ contextValue: { caller } }) {
      return {
        async didResolveOperation({ schema, document, request: { operationName, variables } }) {
          try {
            usage.spendCost(caller.principal, check({ schema, document, operationName, variables }))
          } catch (error) {
            throw toRefusal(error)
          }
        },
      }
    },
  }
}
