/** The pages for browsers: a start page at `/`, GraphiQL at `/graphql`, the REST reference at `/reference`. */
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { ServerContext } from '#core/create-server.ts'
import { notFound } from '#core/errors/catalogue.ts'
import { addVary } from '#core/http/encoding.ts'
import { once } from '#core/values/once.ts'
import { createAssets } from './assets.ts'
import { createContent, sendContent } from './content.ts'
import { referencePage, registerDocuments } from './documents.ts'
import { graphiqlPage } from './graphiql-page.ts'
import { offeredClients } from './sign-in.ts'
import { startPage } from './start-page.ts'

const HTML = 'text/html; charset=utf-8'
const OTHER_TYPES = /application\/(graphql-response\+)?json|text\/event-stream/

/** Whether a browser asks for a page: it accepts HTML and no type of GraphQL's. */
const wantsPage = (accept = ''): boolean => accept.includes('text/html') && !OTHER_TYPES.test(accept)

type Storage = ReturnType<Parameters<FastifyInstance['addConstraintStrategy']>[0]['storage']>

/** Adds routes with `constraints: { page: true }`: they exist for requests that want a page alone. */
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
 * Serves the contract documents and, unless `PAGES` is 0, the pages. Those that show the schema are served only where
 * clients may read it.
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
