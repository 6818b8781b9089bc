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
  /** Apollo's context of the client's request, by which transports know this execution and its operation. */
  readonly request: NonNullable<Fetch['incomingRequestContext']>
  /** Data that was fetched so far. */
  readonly data: Entity
  /** Errors of all fetches so far, in the order in which they came. */
  readonly errors: unknown[]
  /** Event of a subscription: the result of its primary fetch. */
  readonly event?: FormattedExecutionResult
  /** Called with the id of each fetch that has one once it has ended: deferred fetches begin then. */
  readonly onFetched?: (id: string) => void
}

/** Step of a plan, executed on the data that earlier steps have fetched at its place. */
export type PlanStep = (run: PlanRun, data: unknown) => Promise<void> | undefined

/** Fetches that have ended, by their ids. */
export class Fetched {
  readonly #byId = new Map<string, PromiseWithResolvers<void>>()

  readonly ended = (id: string): void => this.#of(id).resolve()

  all(ids: readonly string[]): Promise<unknown> {
    return Promise.all(ids.map(id => this.#of(id).promise))
  }

  #of(id: string): PromiseWithResolvers<void> {
    const known = this.#byId.get(id) ?? Promise.withResolvers<void>()
    this.#byId.set(id, known)
    return known
  }
}

export interface FetchOptions {
  readonly node: FetchNode
  /** Place in the response that the fetch fills. */
  readonly path: ResponsePath
  readonly send: Send
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
}

const isPresent = (entity: unknown): entity is Entity => entity !== null && entity !== undefined

/** Makes the function that picks the variables of the fetch from those of the client. */
const compileVariables = ({ variableUsages = [] }: FetchNode) => {
  const create = createDataClass()
  return (clientVariables: PlanRun['variables']): Entity => {
    const variables = create()
    if (!clientVariables) return variables
    for (const name of variableUsages) {
      const value = Object.hasOwn(clientVariables, name) ? clientVariables[name] : undefined
      if (value !== undefined) variables[name] = value
    }
    return variables
  }
}

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

/** The request that a fetch makes in one execution, and the function that merges its response. */
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

/** Reads the entities of a response. @throws Error where the subgraph did not return one for each representation. */
const checkEntities = (received: Entity, expected: number): (Entity | null)[] => {
  const entities = received['_entities']
  if (!Array.isArray(entities)) throw new Error('Expected "data._entities" in response to be an array')
  if (entities.length !== expected)
    throw new Error(`Expected "data._entities" to contain ${expected} elements`)
  return entities
}

/** Prepares a fetch of fields of entities whose keys other subgraphs have returned. An entity without keys is left out. */
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
      const fetched = checkEntities(received, represented.length)
      for (let index = 0; index < fetched.length; index += 1) mergeInto(represented[index]!, fetched[index]!)
    }
    return { variables, merge }
  }
}

/** Compiles a fetch. Its failure becomes an error of the response, and the other fetches go on. */
export function compileFetch(options: FetchOptions): PlanStep {
  const send = createSend(options)
  const prepare = options.node.requires ? prepareEntities(options) : prepareRoot(options)
  return async (run, target) => {
    const entities = Array.isArray(target) ? target.filter(isPresent) : [target as Entity]
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
