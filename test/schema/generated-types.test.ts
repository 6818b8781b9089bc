/** Clients are generated from the OpenAPI documents: what they may send must be what the generated types let them. */
import { expect, it } from 'vitest'
import { FIXTURES } from '../support/fixtures/all.ts'
import { documentedOperations, type Json, readOpenApi } from '../support/openapi.ts'
import { readText } from '../support/sources.ts'
import { diagnose, generateTypes } from './generated-types.ts'

/** The body of the README's first `POST`. */
const fromReadme = (): string => /PAYMENT='(\{.*?\n\})'/s.exec(readText('README.md'))![1]!

interface Create {
  requestBody: { content: Record<string, { examples: Record<string, { value: unknown }> }> }
}

/** The create operation of a service with the requests that its document has as examples. */
const createOf = (service: string) => {
  const { path, operationId } = documentedOperations(service).find(({ method }) => method === 'POST')!
  const { post } = (readOpenApi(service)['paths'] as Record<string, Json>)[path] as { post: Create }
  const { examples } = post.requestBody.content['application/json']!
  return { operationId, requests: Object.values(examples).map(({ value }) => JSON.stringify(value)) }
}

/** A file that takes each request for one of the generated type. */
const useOf = (service: string, operationId: string, requests: readonly string[]) =>
  [
    `import type { operations } from './${service}'`,
    `type Body = operations['${operationId}']['requestBody']['content']['application/json']`,
    ...requests.map((request, index) => `export const request${index}: Body = ${request}`),
  ].join('\n')

it('SCHEMA-01 MUST generate types that the README and the examples of requests fit', async () => {
  const files = await Promise.all(
    FIXTURES.map(async ({ name }) => {
      const { operationId, requests } = createOf(name)
      const sent = name === 'postpaid-billing' ? [fromReadme(), ...requests] : requests
      return [
        [`/${name}.ts`, await generateTypes(name)],
        [`/${name}.use.ts`, useOf(name, operationId, sent)],
      ]
    }),
  )
  expect(diagnose(Object.fromEntries(files.flat()))).toEqual([])
})
