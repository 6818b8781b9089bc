/** The response of a subgraph in another process, as the gateway's executor takes it. */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { ServiceError, unavailable } from '#core/errors/catalogue.ts'
import type { UpstreamResponse } from '#topology/upstream/instance.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isError = (value: unknown): value is GraphQLFormattedError =>
  isObject(value) && typeof value['message'] === 'string'

/** A response of GraphQL has data, errors or both (GraphQL §7.1). */
const isResult = (value: unknown): value is FormattedExecutionResult => {
  if (!isObject(value)) return false
  const { data, errors } = value
  if (errors !== undefined && !(Array.isArray(errors) && errors.every(isError))) return false
  return isObject(data) || (Array.isArray(errors) && errors.length > 0 && (data ?? null) === null)
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The executor would fail by itself on entities that are not as many as were asked for. */
const hasEntities = ({ data }: FormattedExecutionResult, representations?: readonly unknown[]): boolean => {
  if (!data || !representations) return true
  const entities = data['_entities']
  return Array.isArray(entities) && entities.length === representations.length
}

/** An HTTP response without GraphQL in it: refused before the graph was reached, or not from a subgraph at all. */
const refusal = (name: string, status: number): Error => {
  if (status === 401)
    return new ServiceError('UNAUTHORIZED', `The subgraph ${name} did not accept the access token`)
  if (status === 503) return unavailable(`The subgraph ${name} cannot serve at the moment`)
  if (status === 504)
    return new ServiceError('REQUEST_TIMEOUT_EXCEEDED', `The subgraph ${name} did not answer in time`)
  return new Error(`The subgraph ${name} answered with status ${status} and no GraphQL`)
}

/** Whether a response comes from something out of order; 503 says that the instance lives and is busy. */
export const isFault = ({ status, body }: UpstreamResponse): boolean =>
  status >= 500 && status !== 503 && !isResult(parse(body))

/**
 * Reads a response.
 * @param representations the entities that were asked for, if any were.
 * @throws ServiceError for what the HTTP status says, Error where it is no GraphQL.
 */
export function readResponse(
  name: string,
  { status, body }: UpstreamResponse,
  representations?: readonly unknown[],
): FormattedExecutionResult {
  const result = parse(body)
  if (isResult(result) && hasEntities(result, representations)) return result
  throw refusal(name, status)
}
