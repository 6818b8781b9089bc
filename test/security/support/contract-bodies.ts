/** Parts of a request by the OpenAPI documents: the places of its body and the parameters of its query. */
import { type DocumentedOperation, type Json, readOpenApi, resolveRef } from '../../support/openapi.ts'

/** A field of a body, `paymentInfo.amountDetails[0].amount`, with its schema. */
export interface Place {
  readonly path: string
  readonly schema: Json
}

const placesIn = (document: Json, node: unknown, path: string): Place[] => {
  const schema = resolveRef(document, node)
  if (schema['type'] === 'array') return placesIn(document, schema['items'], `${path}[0]`)
  return Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, property]) => {
    const here = path ? `${path}.${name}` : name
    return [{ path: here, schema: resolveRef(document, property) }, ...placesIn(document, property, here)]
  })
}

/** Every field of an operation's body. */
export const placesOf = ({ service, body }: DocumentedOperation): Place[] =>
  body ? placesIn(readOpenApi(service), body, '') : []

/** The names of an operation's query parameters. */
export function queryOf({ service, method, path }: DocumentedOperation): string[] {
  const document = readOpenApi(service)
  const operation = (document['paths'] as Record<string, Record<string, Json>>)[path]![method.toLowerCase()]!
  const parameters = ((operation['parameters'] ?? []) as unknown[]).map(one => resolveRef(document, one))
  return parameters.filter(one => one['in'] === 'query').map(one => String(one['name']))
}
