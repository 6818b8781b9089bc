/** Faults of a request body, derived from the schema of its document: one for each of its rules. */
import { type Json, readOpenApi, resolveRef } from './openapi.ts'

export interface SchemaFault {
  /** Stable: the rule's number and the field's path. */
  readonly id: string
  readonly what: string
  readonly path: string
  /** The wrong value at the path; undefined for none. */
  readonly value: unknown
  /** Text that the message must have. */
  readonly message: string
  /** Whether the graph, which knows null as absent and coerces a little, has this fault too. */
  readonly inGraph: boolean
}

const WRONG_VALUE: Record<string, unknown> = {
  string: 42,
  number: 'one',
  integer: 1.5,
  boolean: 'yes',
  object: 'text',
  array: 'text',
}

/** A place in a body, with what the schema says of it. */
export type At = { path: string; schema: Json; required: boolean }

const typeFaults = ({ path, schema, required }: At): SchemaFault[] => {
  const type = String(schema['type'])
  const message = `${path} must be of type ${type}`
  const wrong = { path, message, inGraph: true }
  return [
    ...(required
      ? [
          {
            id: '01',
            what: 'is absent',
            path,
            value: undefined,
            message: `${path} is required`,
            inGraph: true,
          },
        ]
      : []),
    { ...wrong, id: '02', what: `is no ${type}`, value: WRONG_VALUE[type] },
    { ...wrong, id: '03', what: 'is null', value: null, inGraph: false },
  ]
}

const valueFaults = ({ path, schema }: At): SchemaFault[] => {
  const { enum: values, minLength, maxLength, minItems, maxItems, format } = schema as Record<string, never>
  const fault = (id: string, what: string, value: unknown, says: string): SchemaFault => ({
    id,
    what,
    path,
    value,
    message: `${path} ${says}`,
    inGraph: true,
  })
  const outside = schema['type'] === 'number' ? 11 : 'none of them'
  return [
    ...(values ? [fault('04', 'is none of the values', outside, 'must be one of')] : []),
    ...(minLength ? [fault('05', 'is too short', 'x'.repeat(minLength - 1), 'must have at least')] : []),
    ...(maxLength ? [fault('06', 'is too long', '1'.repeat(maxLength + 1), 'must not be longer than')] : []),
    ...(minItems ? [fault('07', 'has too few items', [], 'must have at least')] : []),
    ...(maxItems
      ? [fault('09', 'has too many items', Array(maxItems + 1).fill({}), 'must not have more')]
      : []),
    ...(format === 'date-time' ? [fault('08', 'is no date-time', 'tomorrow', 'must be a date-time')] : []),
  ]
}

/** Every place that a body of the schema may have; a list counts with its first item. */
export const placesIn = (document: Json, node: unknown, path: string): At[] => {
  const schema = resolveRef(document, node)
  if (schema['type'] === 'array') return placesIn(document, schema['items'], `${path}[0]`)
  const required = (schema['required'] ?? []) as string[]
  return Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, property]) => {
    const here = path ? `${path}.${name}` : name
    const place = { path: here, schema: resolveRef(document, property), required: required.includes(name) }
    return [place, ...placesIn(document, property, here)]
  })
}

/** Every fault that the schema of a create's body knows; `has` says which places the audited body has. */
export function schemaFaults(
  service: string,
  bodySchema: Json,
  has: (path: string) => boolean,
): SchemaFault[] {
  const places = placesIn(readOpenApi(service), bodySchema, '').filter(({ path }) => has(path))
  return places
    .flatMap(place => [...typeFaults(place), ...valueFaults(place)])
    .map(fault => ({ ...fault, id: `${fault.id}/${fault.path}` }))
}
