/** Where the declarations of Fastify's plugins say other than what they do. */
import type { FastifyPluginAsync, RouteOptions } from 'fastify'
import { type FastifyOpenapiGlueOptions, fastifyOpenapiGlue as glue } from 'fastify-openapi-glue'

interface OpenapiGlueOptions extends Omit<FastifyOpenapiGlueOptions, 'operationResolver'> {
  operationResolver(operationId: string): Omit<RouteOptions, 'method' | 'url'>
}

/** A resolver is declared to return whole routes, where method and address are taken from the document. */
export const fastifyOpenapiGlue = glue as unknown as FastifyPluginAsync<OpenapiGlueOptions>
