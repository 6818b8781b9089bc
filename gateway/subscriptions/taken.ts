/** Subscriptions pass Apollo Server like queries do, as far as parsing, limits and validation; then they are taken. */
import { type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type OperationDefinitionNode,
} from 'graphql'
import type { GatewayContext } from '../context.ts'

/** Where a subscription that has passed is put; a request that has none of these cannot subscribe. */
export interface TakenSubscription {
  /** A GET must not change anything. */
  readonly readOnly: boolean
  document?: DocumentNode
  operation?: OperationDefinitionNode
  /** Why it could not even be validated. */
  fault?: string
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
  /** A rule of GraphQL.js throws on `@skip(if: $variable)` at a subscription's root, since it knows no variables yet. */
  async unexpectedErrorProcessingRequest({ requestContext, error }) {
    const { taken } = requestContext.contextValue
    if (taken && error instanceof GraphQLError && !error.originalError) taken.fault = error.message
  },
  async requestDidStart({ contextValue: { taken } }) {
    return {
      async responseForOperation({ operation, document }) {
        // Undefined, whatever its type says, when the request does not tell which of several operations it means.
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
