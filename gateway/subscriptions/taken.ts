/** Subscriptions pass Apollo Server like queries do, as far as parsing, limits and validation; then they are taken. */
import { type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode } from 'graphql'
import type { GatewayContext } from '../context.ts'

/** Where a subscription that has passed is put; a request that has none of these cannot subscribe. */
export interface TakenSubscription {
  /** A GET must not change anything. */
  readonly readOnly: boolean
  document?: DocumentNode
  operation?: OperationDefinitionNode
}

const refuse = (message: string) => {
  const error: GraphQLFormattedError = {
    message,
    extensions: { code: 'INVALID_ARGUMENT', http: { status: 400 } },
  }
  return answer({ errors: [error] }, 400)
}

const answer = (singleResult: object, status?: number) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult },
})

const NOT_HERE = 'A subscription needs a WebSocket (graphql-transport-ws) or Accept: text/event-stream'

/** Puts a subscription where the request wants it, instead of executing it. */
export const takeSubscriptions: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart({ contextValue: { taken } }) {
    return {
      async responseForOperation({ operation, document }) {
        // Several operations and no name: there is none, whatever the types say, and execution will refuse it.
        if (!operation) return null
        if (operation.operation === 'mutation' && taken?.readOnly) return refuse('A mutation needs POST')
        if (operation.operation !== 'subscription') return null
        if (!taken) return refuse(NOT_HERE)
        Object.assign(taken, { document, operation })
        return answer({ data: null })
      },
    }
  },
}
