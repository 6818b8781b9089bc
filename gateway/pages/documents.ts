/**
 * The contract for developers of clients, without a token: the OpenAPI documents, the schema of the graph where clients may
 * read it, and a page on which the REST operations can be tried.
 */
import type { FastifyInstance } from 'fastify'
import { readDocument, readDocumentText } from '#core/contract/openapi.ts'
import { once } from '#core/values/once.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { type Content, createContent, sendContent } from './content.ts'
import { dataBlock, renderPage } from './html.ts'
import { signInBar } from './sign-in.ts'

/** The services that have a contract over REST. */
export const REST_SERVICES: readonly string[] = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)

const YAML = 'application/yaml; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const SDL = 'text/plain; charset=utf-8'

/**
 * Serves `/openapi/<service>.yaml` and `.json`, and `/schema.graphql`.
 * @param apiSchema the schema that clients of this server see; undefined where it is not theirs to read.
 */
export function registerDocuments(http: FastifyInstance, apiSchema: (() => string) | undefined): void {
  const serve = (path: string, content: () => Content) =>
    http.get(path, async (request, reply) => sendContent(request, reply, content()))
  for (const name of REST_SERVICES) {
    const text = () => readDocumentText(name)
    const yaml = once(() => createContent(YAML, text()))
    const json = once(() => createContent(JSON_TYPE, JSON.stringify(readDocument(name))))
    serve(`/openapi/${name}.yaml`, yaml)
    serve(`/openapi/${name}.json`, json)
  }
  if (!apiSchema) return
  let schema: Content | undefined
  serve('/schema.graphql', () => {
    const text = apiSchema()
    if (schema?.body !== text) schema = createContent(SDL, text)
    return schema
  })
}

const DOCUMENTS = REST_SERVICES.map(name => ({ name, url: `/openapi/${name}.yaml` }))

/** The REST reference. @param clients the clients that the page offers to sign in as. */
export const referencePage = (clients: readonly string[]): string =>
  renderPage({
    title: 'REST reference – partner-graph',
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui.js', 'swagger-ui-preset.js'],
    module: 'reference-page.js',
    body: `${signInBar('REST reference', clients)}
<div id="reference"></div>
${dataBlock('documents', DOCUMENTS)}`,
  })
