/** One fetch of a plan: what is sent to the subgraph, and where what it answers is merged into. */
import { ERRORS, errorCodeDef } from '@apollo/federation-internals'
import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { createDataClass } from '#engine/subgraph/data.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type { Send } from '#gateway/supergraph/engine.ts'
import {
  applyRewrites,
  deepMerge,
  type GatewayParts,
  generateHydratedPaths,
} from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
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

/** Makes what takes those of the client's variables that the fetch uses, as they came. */
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

/** Notes what came back beside the data. */
const noteErrors = (parts: FetchParts, run: PlanRun, errors: readonly GraphQLFormattedError[]): void => {
  const { serviceName } = parts.node
  const place = createPlacer(parts, run)
  run.errors.push(...errors.map(error => toDownstreamError(error, serviceName, place(error.path))))
}

/** What is sent of this fetch at one execution. */
const createSend = ({ node, path, send }: FetchParts) => {
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

/** What is asked for at one execution, and what is done with what comes. */
interface Asked {
  readonly variables: Entity
  merge(received: Entity | null | undefined): void
}

/** Undefined where there is nothing to ask for. */
type Ask = (run: PlanRun, entities: Entity[]) => Asked | undefined

/** Asks for root fields. */
const askForRoot = ({ node, supergraphSchema }: FetchParts): Ask => {
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

/** Asks for more of entities that other subgraphs have named. */
const askForEntities = ({ node, supergraphSchema }: FetchParts): Ask => {
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

/** Compiles a fetch. Whatever fails in it is an error of the answer, and ends no other fetch. */
export function compileFetch(parts: FetchParts): Step {
  const send = createSend(parts)
  const ask = parts.node.requires ? askForEntities(parts) : askForRoot(parts)
  return async (run, found) => {
    const entities = Array.isArray(found) ? found.filter(isThere) : [found as Entity]
    if (entities.length === 0) return
    try {
      const asked = ask(run, entities)
      if (!asked) return
      const { data, errors } = await send(run, asked.variables)
      if (errors) noteErrors(parts, run, errors)
      asked.merge(data)
    } catch (error) {
      run.errors.push(error)
    }
  }
}
