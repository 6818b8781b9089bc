/**
 * Subscriptions pass Apollo Server like queries do, as far as parsing, limits and validation; then the operation is
 * captured instead of executed.
 */
import { type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { invalid, toGraphQL } from '#core/errors/catalogue.ts'
import type { GatewayContext } from './context.ts'

const refuse = (message: string) => {
  const error = toGraphQL(invalid(message, { reason: 'INVALID_OPERATION' }))
  return answer({ errors: [error.toJSON()] }, 400)
}

const answer = (singleResult: object, status?: number) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult },
})

const NOT_HERE = 'A subscription needs a WebSocket (graphql-transport-ws) or Accept: text/event-stream'

/** Puts a subscription where the request wants it, instead of executing it. */
export const captureSubscriptions: ApolloServerPlugin<GatewayContext> = {
  /** A rule of GraphQL.js throws on `@skip(if: $variable)` at a subscription's root, since it knows no variables yet. */
  async unexpectedErrorProcessingRequest({ requestContext, error }) {
    const { captured } = requestContext.contextValue
    if (captured && error instanceof GraphQLError && !error.originalError) captured.fault = error.message
  },
  async requestDidStart({ contextValue: { captured } }) {
    return {
      async responseForOperation({ operation, document }) {
        // Undefined, whatever its type says, when the request does not tell which of several operations it means.
        if (!operation) return null
        if (operation.operation === 'mutation' && captured?.readOnly) return refuse('A mutation needs POST')
        if (operation.operation !== 'subscription') return null
        if (!captured) return refuse(NOT_HERE)
        Object.assign(captured, { document, operation })
        return answer({ data: null })
      },
    }
  },
}
