/** One fetch of a plan: what is sent to the subgraph, and where what it answers is merged into. */
import { ERRORS, errorCodeDef } from '@apollo/federation-internals'
import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { GatewayContext } from '../operation/context.ts'
import {
  applyRewrites,
  deepMerge,
  type GatewayParts,
  generateHydratedPaths,
} from '../third-party/apollo-internals.ts'
import type { Fetch } from '../transport/transport.ts'
import { compileCollect, type Entity } from './collect.ts'

type Path = readonly (string | number)[]

/** One execution of a plan. */
export interface PlanRun {
  /** As the client gave them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly context: GatewayContext
  /** What tells this execution from others, and the kind of its operation. */
  readonly request: NonNullable<Fetch['incomingRequestContext']>
  /** Everything that was fetched so far. */
  readonly data: Entity
  /** In the sequence in which they came. */
  readonly errors: unknown[]
  /** What the primary fetch of a subscription brought: its event. */
  readonly event?: FormattedExecutionResult
}

/** Sends a fetch to its subgraph. */
export type Send = (fetch: Fetch, run: PlanRun) => Promise<FormattedExecutionResult>

/** A step of a plan, at what was fetched at its place. */
export type Step = (run: PlanRun, data: unknown) => Promise<void> | undefined

export interface FetchParts {
  readonly node: FetchNode
  /** Where in the answer the fetch is for. */
  readonly path: ResponsePath
  readonly send: Send
  readonly supergraphSchema: GatewayParts['supergraphSchema']
}

const isThere = (entity: unknown): entity is Entity => entity !== null && entity !== undefined

/** Those of the client's variables that the fetch uses, as they came. */
const variablesFor = ({ variableUsages = [] }: FetchNode, given: PlanRun['variables']): Entity => {
  const variables: Entity = Object.create(null)
  if (!given) return variables
  for (const name of variableUsages) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined) variables[name] = value
  }
  return variables
}

/** Where the errors of this fetch belong in the client's answer. */
const createPlacer = ({ node, path }: FetchParts, { data }: PlanRun) => {
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

/** An error as Apollo Gateway would word it. */
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

/** Makes what sends this fetch, and notes the errors that come back. */
const createRequest = (parts: FetchParts) => {
  const { node, path, send } = parts
  const { serviceName, operation: query, operationName } = node
  return async (run: PlanRun, variables: Entity): Promise<Entity | null | undefined> => {
    const { data, errors } = await send(
      {
        request: { query, variables, operationName },
        context: run.context,
        incomingRequestContext: run.request,
        pathInIncomingRequest: path,
      },
      run,
    )
    if (errors) {
      const place = createPlacer(parts, run)
      run.errors.push(...errors.map(error => toDownstreamError(error, serviceName, place(error.path))))
    }
    return data
  }
}

type Request = ReturnType<typeof createRequest>

/** A fetch of root fields. */
const compileRoot = ({ node, supergraphSchema }: FetchParts, request: Request) => {
  const { outputRewrites } = node
  return async (run: PlanRun, entities: Entity[]) => {
    const received = await request(run, variablesFor(node, run.variables))
    if (received) applyRewrites(supergraphSchema, outputRewrites, received)
    for (const entity of entities) deepMerge(entity, received)
  }
}

const checkEntities = (received: Entity, expected: number): Entity[] => {
  const entities = received['_entities']
  if (!Array.isArray(entities)) throw new Error('Expected "data._entities" in response to be an array')
  if (entities.length !== expected)
    throw new Error(`Expected "data._entities" to contain ${expected} elements`)
  return entities
}

/** A fetch of more of entities that other subgraphs have named. */
const compileEntities = ({ node, supergraphSchema }: FetchParts, request: Request) => {
  const { inputRewrites, outputRewrites } = node
  const collect = compileCollect(node.requires!, supergraphSchema)
  const mergeInto = (entity: Entity, received: Entity | null) => {
    if (!received) return
    if (!received['__typename']) received['__typename'] = entity['__typename']
    applyRewrites(supergraphSchema, outputRewrites, received)
    deepMerge(entity, received)
  }
  return async (run: PlanRun, entities: Entity[]) => {
    const representations: Entity[] = []
    const represented: Entity[] = []
    for (const entity of entities) {
      const representation = collect(entity)
      if (!representation?.['__typename']) continue
      applyRewrites(supergraphSchema, inputRewrites, representation)
      representations.push(representation)
      represented.push(entity)
    }
    if (representations.length === 0) return
    const variables = variablesFor(node, run.variables)
    if ('representations' in variables) throw new Error('Variables cannot contain key "representations"')
    const received = await request(run, { ...variables, representations })
    if (!received) return
    const all = checkEntities(received, representations.length)
    for (const [index, entity] of represented.entries()) mergeInto(entity, all[index]!)
  }
}

/** Compiles a fetch. Whatever fails in it is an error of the answer, and ends no other fetch. */
export function compileFetch(parts: FetchParts): Step {
  const request = createRequest(parts)
  const work = parts.node.requires ? compileEntities(parts, request) : compileRoot(parts, request)
  return async (run, data) => {
    const entities = Array.isArray(data) ? data.filter(isThere) : [data as Entity]
    if (entities.length === 0) return
    try {
      await work(run, entities)
    } catch (error) {
      run.errors.push(error)
    }
  }
}
