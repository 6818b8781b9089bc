/** One fetch of a plan: its variables, its request to the subgraph, and the merging of the response. */
import { ERRORS, errorCodeDef } from '@apollo/federation-internals'
import type { FetchNode } from '@apollo/query-planner'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { copyJson } from '#core/values/json.ts'
import { applyRewrites, deepMerge, generateHydratedPaths } from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { createDataClass } from '../subgraph/result.ts'
import type { Entity } from './collect.ts'
import type { FetchOptions, PlanRun, PlanStep } from './plan-run.ts'
import { compileRepresent, Places, type Represented } from './representations.ts'
import { hasLeavesAlone } from './twins.ts'

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

/** The request that a fetch makes in one execution, and the function that merges its response. */
interface FetchRequest {
  readonly variables: Entity
  readonly distinct?: Fetch['distinct']
  merge(received: Entity | null | undefined): void
}

/** Prepares the request for these entities; undefined where there is nothing to fetch. */
type Prepare = (run: PlanRun, entities: Entity[], places?: Places) => FetchRequest | undefined

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

/** Merges an entity that others may have been given too: what is no leaf is copied. */
const mergeLeaves = (entity: Entity, received: Entity): void => {
  for (const name of Object.keys(received)) {
    const value = received[name]
    const isLeaf = (typeof value !== 'object' || value === null) && name !== '__proto__'
    if (isLeaf && value !== undefined) entity[name] = value
    else deepMerge(entity, { [name]: copyJson(value) })
  }
}

/** Makes the function that merges a received entity. */
const compileMerge = ({ node, supergraphSchema }: FetchOptions, isRead: boolean) => {
  const { outputRewrites } = node
  return (entity: Entity, received: Entity) => {
    if (isRead && typeof received === 'object' && !Array.isArray(received))
      return mergeLeaves(entity, received)
    if (!received['__typename']) received['__typename'] = entity['__typename']
    applyRewrites(supergraphSchema, outputRewrites, received)
    deepMerge(entity, received)
  }
}

/** Texts of representations of which no other fetch takes any. */
const NO_TEXTS: ReadonlyMap<string, number> = new Map()

/** Prepares a fetch of fields of entities whose keys other subgraphs have returned. An entity without keys is left out. */
const prepareEntities = (options: FetchOptions): Prepare => {
  const { node, path, supergraphSchema: schema, twins } = options
  const { inputRewrites, outputRewrites } = node
  const rewrite = inputRewrites && ((one: Entity) => applyRewrites(schema, inputRewrites, one))
  const isRead = !outputRewrites?.length && hasLeavesAlone(node)
  const family = isRead ? twins.familyOf(node) : undefined
  const represent = compileRepresent({
    requires: node.requires!,
    schema,
    rewrite: inputRewrites?.length ? rewrite : undefined,
    mayShare: twins.mayShare(path),
    hasFamily: family !== undefined,
  })
  const variablesFor = compileVariables(node)
  const merge = compileMerge(options, isRead)
  return (run, found, places) => {
    const represented = represent(found, places)
    const { representations, indexes, entities } = represented
    if (representations.length === 0) return undefined
    const variables = variablesFor(run.variables)
    if ('representations' in variables) throw new Error('Variables cannot contain key "representations"')
    variables['representations'] = represented.all()
    return {
      variables,
      distinct: { representations, indexes, byText: family ? represented.byText : NO_TEXTS, isRead, family },
      merge: received => received && mergeAll(represented, checkEntities(received, entities.length), merge),
    }
  }
}

/** Merges what was received for each place; an object that stands at several has it once. */
const mergeAll = (
  { entities, indexes, firsts }: Represented,
  fetched: readonly (Entity | null)[],
  merge: (entity: Entity, received: Entity) => void,
): void => {
  const isMerged: boolean[] = []
  for (let place = 0; place < fetched.length; place += 1) {
    const [entity, received, index] = [entities[place]!, fetched[place], indexes[place]!]
    const isFirst = entity === firsts[index]
    if (!received || (isFirst && isMerged[index])) continue
    if (isFirst) isMerged[index] = true
    merge(entity, received)
  }
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
