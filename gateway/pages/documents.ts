/**
 * Documents for developers of clients, served without a token: the OpenAPI documents, the AsyncAPI document of the events,
 * and the schema of the graph where clients may read it.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { projectPath } from '#core/config/project-files.ts'
import { readDocument, readDocumentText } from '#core/contract/openapi.ts'
import { DOCUMENTS } from '#subgraphs/names.ts'
import { type Content, createContent, sendContent } from './content.ts'

/** The documents that are served: the contracts, and the tools of partners beside them. */
export const REST_DOCUMENTS: readonly string[] = DOCUMENTS.map(({ document }) => document)

const YAML = 'application/yaml; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const SDL = 'text/plain; charset=utf-8'

/**
 * Serves `/openapi/<service>.yaml` and `.json`, `/asyncapi.yaml`, and `/schema.graphql`.
 * @param apiSchema gives the schema of the graph that clients see; undefined where clients may not read it.
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
  let events: Content | undefined
  serve('/asyncapi.yaml', () => {
    events ??= createContent(YAML, readFileSync(projectPath('schema/events.asyncapi.yaml'), 'utf8'))
    return events
  })
  if (!apiSchema) return
  let schema: Content | undefined
  serve('/schema.graphql', () => {
    const text = apiSchema()
    if (schema?.body !== text) schema = createContent(SDL, text)
    return schema
  })
}
