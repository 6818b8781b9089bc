/** What a client's operation may cost is checked before it is planned. */
import type { ApolloServerPlugin } from '@apollo/server'
import { asServiceError, toGraphQL } from '../subgraphs/shared/errors.ts'
import { createCostLimit, MAX_COST } from '../subgraphs/shared/graph/cost.ts'
import type { GatewayContext } from './context.ts'

/** Refuses operations that could come to more than `MAX_COST` fields, before anything is fetched. */
export const limitCost = (): ApolloServerPlugin<GatewayContext> => {
  const check = createCostLimit(MAX_COST)
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, request: { operationName, variables } }) {
          try {
            check({ schema, document, operationName, variables })
          } catch (error) {
            throw toGraphQL(asServiceError(error))
          }
        },
      }
    },
  }
}
