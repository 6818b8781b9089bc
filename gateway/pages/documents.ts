/**
 * The contract for developers of clients, without a token: the OpenAPI documents, and the schema of the graph where clients
 * may read it.
 */
import type { FastifyInstance } from 'fastify'
import { readDocument, readDocumentText } from '#core/contract/openapi.ts'
import { DOCUMENTS, SERVICES } from '#subgraphs/names.ts'
import { type Content, createContent, sendContent } from './content.ts'

/** The services that have a contract over REST. */
export const REST_SERVICES: readonly string[] = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)

/** The documents that are served: the contracts, and the tools of partners beside them. */
export const REST_DOCUMENTS: readonly string[] = DOCUMENTS.map(({ document }) => document)

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
  for (const name of REST_DOCUMENTS) {
    let yaml: Content | undefined
    let json: Content | undefined
    serve(`/openapi/${name}.yaml`, () => (yaml ??= createContent(YAML, readDocumentText(name))))
    serve(
      `/openapi/${name}.json`,
      () => (json ??= createContent(JSON_TYPE, JSON.stringify(readDocument(name)))),
    )
  }
  if (!apiSchema) return
  let schema: Content | undefined
  serve('/schema.graphql', () => {
    const text = apiSchema()
    if (schema?.body !== text) schema = createContent(SDL, text)
    return schema
  })
}
