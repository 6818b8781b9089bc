/** One fetch of a plan: its variables, its request to the subgraph, and the merging of the response. */
import { ERRORS, errorCodeDef } from '@apollo/federation-internals'
import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type { Send } from '#gateway/supergraph/engine.ts'
import {
  applyRewrites,
  deepMerge,
  type GatewayInternals,
  generateHydratedPaths,
} from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { createDataClass } from '../subgraph/result.ts'
import { compileCollect, type Entity } from './collect.ts'

type Path = readonly (string | number)[]

/** One execution of a plan. */
export interface PlanRun {
  /** Variables as the client sent them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly context: GatewayContext
  /** Identity of this execution, with its operation. */
  readonly request: NonNullable<Fetch['incomingRequestContext']>
  /** Data that were fetched so far. */
  readonly data: Entity
  /** Errors in the sequence in which they came. */
  readonly errors: unknown[]
  /** Event of a subscription: the result of its primary fetch. */
  readonly event?: FormattedExecutionResult
}

/** Step of a plan, executed on the data that were fetched at its place. */
export type PlanStep = (run: PlanRun, data: unknown) => Promise<void> | undefined

export interface FetchOptions {
  readonly node: FetchNode
  /** Place in the response that the fetch fills. */
  readonly path: ResponsePath
  readonly send: Send
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
}

const isThere = (entity: unknown): entity is Entity => entity !== null && entity !== undefined

/** Makes the function that takes the variables of the fetch from the client's, unchanged. */
const compileVariables = ({ variableUsages = [] }: FetchNode) => {
  const create = createDataClass()
  return (given: PlanRun['variables']): Entity => {
    const variables = create()
    if (!given) return variables
    for (const name of variableUsages) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (value !== undefined) variables[name] = value
    }
    return variables
  }
}

/** Makes the function that gives errors of this fetch their places in the client's response. */
const createPlacer = ({ node, path }: FetchOptions, { data }: PlanRun) => {
  let places: Path[] | undefined
  return (own: Path | undefined): Path | undefined => {
    if (!node.requires || typeof own?.[1] !== 'number') return own && [...path, ...own]
    if (!places) {
      places = []
      generateHydratedPaths([], path, data, places as (string | number)[][])
    }
    return [...(places[own[1]] ?? []), ...own.slice(2)]
  }
}

/** Formats an error as Apollo Gateway does. */
const toDownstreamError = (error: GraphQLFormattedError, serviceName: string, path: Path | undefined) => {
  const { extensions } = error
  const message = error.message || `Error while fetching subquery from service "${serviceName}"`
  const options = {
    originalError: error as Error & GraphQLFormattedError,
    path,
    extensions: { ...extensions, serviceName },
  }
  const known = errorCodeDef(error as GraphQLError)
  if (!known && extensions?.['code']) return new GraphQLError(message, options)
  return (known ?? ERRORS.DOWNSTREAM_SERVICE_ERROR).err(message, options)
}

/** Records the errors of a response. */
const recordErrors = (
  options: FetchOptions,
  run: PlanRun,
  errors: readonly GraphQLFormattedError[],
): void => {
  const { serviceName } = options.node
  const place = createPlacer(options, run)
  run.errors.push(...errors.map(error => toDownstreamError(error, serviceName, place(error.path))))
}

/** Makes the function that sends the fetch. */
const createSend = ({ node, path, send }: FetchOptions) => {
  const { operation: query, operationName } = node
  return (run: PlanRun, variables: Entity) =>
    send(
      {
        request: { query, variables, operationName },
        context: run.context,
        incomingRequestContext: run.request,
        pathInIncomingRequest: path,
      },
      run,
    )
}

/** Request of one execution, and the merging of its response. */
interface FetchRequest {
  readonly variables: Entity
  merge(received: Entity | null | undefined): void
}

/** Prepares the request for these entities; undefined where there is nothing to fetch. */
type Prepare = (run: PlanRun, entities: Entity[]) => FetchRequest | undefined

/** Prepares a fetch of root fields. */
const prepareRoot = ({ node, supergraphSchema }: FetchOptions): Prepare => {
  const { outputRewrites } = node
  const variablesFor = compileVariables(node)
  return (run, entities) => ({
    variables: variablesFor(run.variables),
    merge(received) {
      if (received) applyRewrites(supergraphSchema, outputRewrites, received)
      for (const entity of entities) deepMerge(entity, received)
    },
  })
}

const checkEntities = (received: Entity, expected: number): (Entity | null)[] => {
  const entities = received['_entities']
  if (!Array.isArray(entities)) throw new Error('Expected "data._entities" in response to be an array')
  if (entities.length !== expected)
    throw new Error(`Expected "data._entities" to contain ${expected} elements`)
  return entities
}

/** Prepares a fetch of fields of entities that other subgraphs have identified. */
const prepareEntities = ({ node, supergraphSchema }: FetchOptions): Prepare => {
  const { inputRewrites, outputRewrites } = node
  const collect = compileCollect(node.requires!, supergraphSchema)
  const variablesFor = compileVariables(node)
  const mergeInto = (entity: Entity, received: Entity | null) => {
    if (!received) return
    if (!received['__typename']) received['__typename'] = entity['__typename']
    applyRewrites(supergraphSchema, outputRewrites, received)
    deepMerge(entity, received)
  }
  return (run, entities) => {
    const representations: Entity[] = []
    const represented: Entity[] = []
    for (const entity of entities) {
      const representation = collect(entity)
      if (!representation?.['__typename']) continue
      applyRewrites(supergraphSchema, inputRewrites, representation)
      representations.push(representation)
      represented.push(entity)
    }
    if (representations.length === 0) return undefined
    const variables = variablesFor(run.variables)
    if ('representations' in variables) throw new Error('Variables cannot contain key "representations"')
    variables['representations'] = representations
    const merge = (received: Entity | null | undefined) => {
      if (!received) return
      const all = checkEntities(received, represented.length)
      for (let index = 0; index < all.length; index += 1) mergeInto(represented[index]!, all[index]!)
    }
    return { variables, merge }
  }
}

/** Compiles a fetch. A failure becomes an error of the response, and ends no other fetch. */
export function compileFetch(options: FetchOptions): PlanStep {
  const send = createSend(options)
  const prepare = options.node.requires ? prepareEntities(options) : prepareRoot(options)
  return async (run, found) => {
    const entities = Array.isArray(found) ? found.filter(isThere) : [found as Entity]
    if (entities.length === 0) return
    try {
      const request = prepare(run, entities)
      if (!request) return
      const { data, errors } = await send(run, request.variables)
      if (errors) recordErrors(options, run, errors)
      request.merge(data)
    } catch (error) {
      run.errors.push(error)
    }
  }
}
