/** Apollo Server's handler for Fastify, for all requests and replies that have the parts of Fastify's which it uses. */
import type { ApolloServer } from '@apollo/server'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpReply, HttpRequest } from '#core/http/exchange.ts'

/** Sets status and headers of a response, and gives its text. */
type ApolloHandler = (request: HttpRequest, reply: HttpReply) => Promise<string>

/**
 * Makes the handler. It is declared for Fastify's own requests and replies; it reads the parts of a request that every one
 * here has, and sets headers and status. A response in pieces, which Fastify would send, needs `@defer`, which Apollo Server
 * does not execute here.
 */
export const apolloHandler = <Context extends object>(
  apollo: ApolloServer<Context>,
  contextOf: (request: HttpRequest) => Promise<Context>,
): ApolloHandler => {
  const handler = fastifyApolloHandler(apollo, { context: contextOf })
  return (request, reply) =>
    handler.call(
      request.server,
      request as unknown as FastifyRequest,
      reply as unknown as FastifyReply,
    ) as Promise<string>
}
