/** Schemas of bodies are compiled with the first body: their own faults are found earlier, here and by the start. */
import { describe, expect, test } from 'vitest'
import { type OpenApiDocument, operationsOf, readDocument } from '#core/contract/openapi.ts'
import { checkOf } from '#core/contract/validation.ts'
import { SERVICES } from '#subgraphs/names.ts'

const bodies = SERVICES.filter(({ rest }) => rest).flatMap(({ name: service }) => {
  const document = readDocument(service)
  return operationsOf(document).flatMap(({ body, operationId }) =>
    body ? [{ operationId, document, body }] : [],
  )
})

const documentWith = (schemas: object): OpenApiDocument => ({
  info: { title: 'Broken', version: '1' },
  paths: {},
  components: { schemas: schemas as Record<string, unknown> },
})

describe('schemas of bodies', () => {
  test('SCHEMAS-00 there are some', () => expect(bodies.length).toBeGreaterThan(0))

  test.each(bodies)(
    'SCHEMAS-01 that of $operationId compiles, to find the first fault and all',
    ({ document, body }) => {
      expect(checkOf(document, body)({})).toMatchObject({ code: 'INVALID_ARGUMENT' })
    },
  )

  test.each([
    ['itself', {}],
    [
      'a part of it',
      { Body: { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } } },
    ],
  ])('SCHEMAS-02 one that is not there, %s, stops the start', (_, schemas) => {
    expect(() => checkOf(documentWith(schemas), '#/components/schemas/Body')).toThrow('leads nowhere')
  })
})
