/** One fetch of a plan: its request to the subgraph, and the errors of the response. */
import { ERRORS, errorCodeDef } from '@apollo/federation-internals'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { generateHydratedPaths } from '#gateway/third-party/apollo-internals.ts'
import type { Entity } from './collect.ts'
import { Places } from './places.ts'
import type { FetchOptions, PlanRun, PlanStep } from './plan-run.ts'
import { type FetchRequest, prepareEntities, prepareRoot } from './prepare.ts'

type Path = readonly (string | number)[]

const isPresent = (entity: unknown): entity is Entity => entity !== null && entity !== undefined

/**
 * Makes the function that maps the path of an error in the subgraph's response to the path in the client's response. A path
 * below `_entities` names an entity by its index; the entity's path is looked up in the data, once for all errors.
 */
const createPathMapper = ({ node, path }: FetchOptions, { data }: PlanRun) => {
  let entityPaths: Path[] | undefined
  return (subgraphPath: Path | undefined): Path | undefined => {
    if (!node.requires || typeof subgraphPath?.[1] !== 'number')
      return subgraphPath && [...path, ...subgraphPath]
    const [, index, ...rest] = subgraphPath
    if (!entityPaths) {
      entityPaths = []
      generateHydratedPaths([], path, data, entityPaths as (string | number)[][])
    }
    return [...(entityPaths[index] ?? []), ...rest]
  }
}

/** Formats an error as Apollo Gateway does, so that clients see the same with and without compiled execution. */
const toDownstreamError = (error: GraphQLFormattedError, serviceName: string, path: Path | undefined) => {
  const { extensions } = error
  const message = error.message || `Error while fetching subquery from service "${serviceName}"`
  const options = {
    originalError: error as Error & GraphQLFormattedError,
    path,
    extensions: { ...extensions, serviceName },
  }
  const apolloCode = errorCodeDef(error as GraphQLError)
  if (!apolloCode && extensions?.['code']) return new GraphQLError(message, options)
  return (apolloCode ?? ERRORS.DOWNSTREAM_SERVICE_ERROR).err(message, options)
}

/** Records the errors of a subgraph's response, with the paths of the client's response. */
const recordErrors = (
  options: FetchOptions,
  run: PlanRun,
  errors: readonly GraphQLFormattedError[],
): void => {
  const { serviceName } = options.node
  const toClientPath = createPathMapper(options, run)
  run.errors.push(...errors.map(error => toDownstreamError(error, serviceName, toClientPath(error.path))))
}

/** Makes the function that sends the fetch. */
const createSend = ({ node, path, send }: FetchOptions) => {
  const { operation: query, operationName } = node
  return (run: PlanRun, { variables, distinct }: FetchRequest) =>
    send(
      {
        request: { query, variables, operationName },
        context: run.context,
        incomingRequestContext: run.request,
        pathInIncomingRequest: path,
        distinct,
      },
      run,
    )
}

/** Compiles a fetch. Its failure becomes an error of the response, and the other fetches go on. */
export function compileFetch(options: FetchOptions): PlanStep {
  const send = createSend(options)
  const prepare = options.node.requires ? prepareEntities(options) : prepareRoot(options)
  return async (run, target) => {
    const places = target instanceof Places ? target : undefined
    const entities = places
      ? places.entities
      : Array.isArray(target)
        ? target.filter(isPresent)
        : [target as Entity]
    if (entities.length === 0) return
    try {
      const request = prepare(run, entities, places)
      if (!request) return
      const { data, errors } = await send(run, request)
      if (errors) recordErrors(options, run, errors)
      request.merge(data)
    } catch (error) {
      run.errors.push(error)
    }
  }
}
