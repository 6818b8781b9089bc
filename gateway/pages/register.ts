/** What browsers are shown: a start page at `/`, GraphiQL at `/graphql`, the REST reference at `/reference`. */
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { ServerContext } from '#core/create-server.ts'
import { notFound } from '#core/errors/catalogue.ts'
import { addVary } from '#core/http/encoding.ts'
import { once } from '#core/values/once.ts'
import { createAssets } from './assets.ts'
import { createContent, sendContent } from './content.ts'
import { offeredClients } from './demo-clients.ts'
import { registerDocuments } from './documents.ts'
import { graphiqlPage } from './graphiql-page.ts'
import { referencePage } from './reference-page.ts'
import { startPage } from './start-page.ts'

const HTML = 'text/html; charset=utf-8'
const OTHER_TYPES = /application\/(graphql-response\+)?json|text\/event-stream/

/** Whoever names HTML and no type of GraphQL's is a browser that shows a page. */
const wantsPage = (accept = ''): boolean => accept.includes('text/html') && !OTHER_TYPES.test(accept)

type Storage = ReturnType<Parameters<FastifyInstance['addConstraintStrategy']>[0]['storage']>

/** Routes with `constraints: { page: true }` are for requests that want a page; for others they are not there. */
const addPageConstraint = (http: FastifyInstance): void =>
  http.addConstraintStrategy({
    name: 'page',
    storage() {
      const handlers = new Map<unknown, Parameters<Storage['set']>[1]>()
      return {
        get: wants => handlers.get(wants) ?? null,
        set: (wants, handler) => void handlers.set(wants, handler),
      }
    },
    validate: () => undefined,
    deriveConstraint: ({ headers }) => wantsPage(headers.accept),
  })

const sendPage =
  (render: (request: FastifyRequest) => string): RouteHandlerMethod =>
  async (request, reply) =>
    sendContent(request, addVary(reply, 'Accept'), createContent(HTML, render(request)))

const addressOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

const registerAssets = (http: FastifyInstance): void => {
  const find = createAssets()
  http.get<{ Params: { '*': string } }>('/pages/*', async (request, reply) => {
    const content = await find(request.params['*'])
    if (!content) throw notFound(`GET /pages/${request.params['*']}`)
    return sendContent(request, reply, content)
  })
}

/**
 * Serves the contract documents and, unless `PAGES` is 0, the pages; what shows the schema only where clients may read it.
 * @param apiSchema the schema that clients see now.
 */
export function registerPages({ http, app }: ServerContext, apiSchema: () => string): void {
  const { pages, introspection } = app.config
  registerDocuments(http, introspection ? apiSchema : undefined)
  if (!pages) return
  const clients = offeredClients(app.config)
  const constraints = { page: true }
  const graphiql = once(() => graphiqlPage(clients))
  const reference = once(() => referencePage(clients))
  addPageConstraint(http)
  http.get(
    '/',
    { constraints },
    sendPage(request => startPage(addressOf(request), clients, introspection)),
  )
  if (introspection) http.get('/graphql', { constraints }, sendPage(graphiql))
  http.get('/reference', sendPage(reference))
  registerAssets(http)
}
