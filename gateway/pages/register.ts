/**
 * The pages for browsers, which are built of `portal/`. Where they are not built, a start page in the place of each says
 * so.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { VERSION } from '#core/config/project-files.ts'
import type { ServerContext } from '#core/create-server.ts'
import { notFound } from '#core/errors/catalogue.ts'
import { addVary } from '#core/http/responses.ts'
import { createAssets } from './assets.ts'
import { createContent, IMMUTABLE, policyOf, sendContent } from './content.ts'
import { REST_DOCUMENTS, registerDocuments } from './documents.ts'
import { dataBlock } from './html.ts'
import { createIdentityProvider } from './identity-provider.ts'
import {
  CONFIG_ELEMENT,
  GUIDE_FILE,
  PAGE_PATHS,
  type PageConfig,
  SCHEMA_PATHS,
  SIGNED_IN_PATH,
} from './page-config.ts'
import { createPortal } from './portal.ts'
import { offeredClients } from './sign-in.ts'
import { noScript, type StartPageOptions, startPage } from './start-page.ts'

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
  (render: (request: FastifyRequest) => string) => async (request: FastifyRequest, reply: FastifyReply) =>
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
 * The built pages: each path gets the same shell, with the data of this server and its text for clients without scripts in
 * the places of their markers.
 */
const registerPortal = ({ http, app }: ServerContext, clients: readonly string[]): void => {
  const { config } = app
  const portal = createPortal()
  const provider = createIdentityProvider(config, reason => http.log.warn(reason))
  const startOf = (request: FastifyRequest): StartPageOptions => ({
    address: addressOf(request),
    clients,
    showsGraph: config.introspection,
    issuesTokens: config.auth.jwksUrl === undefined,
  })
  const sendStart = sendPage(request => startPage(startOf(request)))
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const [shell, found] = await Promise.all([portal.shell(), provider()])
    if (shell === undefined) return sendStart(request, reply)
    const data: PageConfig = {
      version: VERSION,
      timezone: config.timezone,
      countryCode: config.countryCode,
      demoClients: clients,
      contracts: REST_DOCUMENTS,
      introspection: config.introspection,
      ...(found && { provider: found.config }),
    }
    const html = shell
      .replace('<!--page-config-->', () => dataBlock(CONFIG_ELEMENT, data))
      .replace('<!--no-script-->', () => noScript(startOf(request)))
    const policy = policyOf({ origins: found?.origins ?? [], framed: request.url.startsWith(SIGNED_IN_PATH) })
    return sendContent(request, addVary(reply, 'Accept'), createContent(HTML, html), {
      'content-security-policy': policy,
    })
  }
  for (const path of PAGE_PATHS)
    if (config.introspection || !SCHEMA_PATHS.includes(path))
      http.get(path, { constraints: { page: true } }, serve)
  http.get(SIGNED_IN_PATH, serve)
  http.get<{ Params: { file: string } }>('/pages/app/assets/:file', async (request, reply) => {
    const { file } = request.params
    const isHidden = !config.introspection && file.startsWith(GUIDE_FILE)
    const content = isHidden ? undefined : await portal.asset(file)
    if (!content) throw notFound(`GET /pages/app/${file}`)
    return sendContent(request, reply, content, IMMUTABLE)
  })
}

/**
 * Serves the contract documents and, unless `PAGES` is 0, the pages. Those that show the schema are served only where
 * clients may read it.
 * @param apiSchema the schema that clients see now.
 */
export function registerPages(context: ServerContext, apiSchema: () => string): void {
  const { http, app } = context
  const { pages, introspection } = app.config
  registerDocuments(http, introspection ? apiSchema : undefined)
  if (!pages) return
  const clients = offeredClients(app.config)
  addPageConstraint(http)
  registerPortal(context, clients)
  registerAssets(http)
}
