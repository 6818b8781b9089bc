/** A request says which of its operations is meant; where none is, Apollo Server alone would answer an empty name with 500. */
import type { ApolloServerPlugin } from '@apollo/server'
import { invalidField, toGraphQL } from '#core/errors/catalogue.ts'
import type { GatewayContext } from '../operation/context.ts'

/** Refuses a request whose `operationName` is none of its operations', or is absent where there are several. */
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
