/** Routes are made of the contract documents as a library makes them that checks each document against OpenAPI first. */
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify'
import { fastifyOpenapiGlue } from 'fastify-openapi-glue'
import { expect, test } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { type OpenApiDocument, operationsOf, readDocument } from '#core/contract/openapi.ts'
import { registerRest } from '#core/http/rest.ts'
import type { RestDependencies } from '#core/http/stored-responses.ts'
import { SERVICES } from '#subgraphs/names.ts'

const unused = async () => {
  throw new Error('No request is sent')
}

const PARTS: RestDependencies = {
  config: readConfig({}),
  access: { verify: unused },
  accessRecords: undefined as never,
  refusals: undefined as never,
  usage: {
    enterRequest() {
      throw new Error('No request is sent')
    },
  },
}

const operationsFor = (document: OpenApiDocument) =>
  Object.fromEntries(operationsOf(document).map(({ operationId }) => [operationId, unused]))

/** The response schemas of each route that is registered, and whether it takes a body. */
const routesOf = async (register: (server: FastifyInstance) => Promise<unknown>) => {
  const routes = new Map<string, unknown>()
  const server = fastify({ exposeHeadRoutes: false })
  server.addHook('onRoute', ({ method, url, schema }: RouteOptions) => {
    routes.set(`${method} ${url}`, { response: schema?.response, takesBody: Boolean(schema?.body) })
  })
  await register(server)
  await server.ready()
  await server.close()
  return routes
}

/** Required members are not written first, and defaults not filled in. */
const isWritten = ([name, value]: [string, unknown]) =>
  !(name === 'default' && typeof value !== 'object') && !(name === 'required' && Array.isArray(value))

/** The document without what no route is made of, parameters among it. */
const stripped = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(stripped)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).filter(entry => entry[0] !== 'parameters' && isWritten(entry))
  return Object.fromEntries(entries.map(([name, value]) => [name, stripped(value)]))
}

test.each(SERVICES.filter(({ rest }) => rest))('REST-ROUTES-01 of $name', async ({ name }) => {
  const document = readDocument(name)
  const operations = operationsFor(document)
  const ours = await routesOf(server => registerRest(server, PARTS, document, operations))
  const theirs = await routesOf(async server => {
    server.setValidatorCompiler(() => () => true)
    await server.register(fastifyOpenapiGlue, {
      specification: stripped(document) as object,
      serviceHandlers: operations,
    })
  })
  expect(ours.size).toBe(operationsOf(document).length)
  expect(ours).toEqual(theirs)
})
