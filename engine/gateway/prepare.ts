/** Requests of the fetches of a plan: their variables, and the merging of what is received. */

import type { FetchNode } from '@apollo/query-planner'
import { applyRewrites, deepMerge } from '#gateway/third-party/apollo-internals.ts'
import { copyResult } from '#gateway/transport/distinct-entities.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { createDataClass } from '../subgraph/fields.ts'
import type { Entity } from './collect.ts'
import type { Places } from './places.ts'
import type { FetchOptions, PlanRun } from './plan-run.ts'
import { compileRepresent, type Represented } from './representations.ts'
import { hasLeavesAlone } from './twins.ts'

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
export interface FetchRequest {
  readonly variables: Entity
  readonly distinct?: Fetch['distinct']
  merge(received: Entity | null | undefined): void
}

/** Prepares the request for these entities; undefined where there is nothing to fetch. */
export type Prepare = (run: PlanRun, entities: Entity[], places?: Places) => FetchRequest | undefined

/** Prepares a fetch of root fields. */
export const prepareRoot = ({ node, supergraphSchema }: FetchOptions): Prepare => {
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
    else deepMerge(entity, { [name]: copyResult(value) })
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

/** Prepares a fetch of fields of entities whose keys other subgraphs have returned. An entity without keys is left out. */
export const prepareEntities = (options: FetchOptions): Prepare => {
  const { node, path, supergraphSchema: schema, twins } = options
  const { inputRewrites, outputRewrites } = node
  const rewrite = inputRewrites && ((one: Entity) => applyRewrites(schema, inputRewrites, one))
  const isRead = !outputRewrites?.length && hasLeavesAlone(node)
  const represent = compileRepresent({
    requires: node.requires!,
    schema,
    rewrite: inputRewrites?.length ? rewrite : undefined,
    mayShare: twins.mayShare(path),
  })
  const variablesFor = compileVariables(node)
  const merge = compileMerge(options, isRead)
  const family = isRead ? twins.familyOf(node) : undefined
  return (run, found, places) => {
    const represented = represent(found, places)
    const { representations, indexes, byText, entities } = represented
    if (representations.length === 0) return undefined
    const variables = variablesFor(run.variables)
    if ('representations' in variables) throw new Error('Variables cannot contain key "representations"')
    variables['representations'] = represented.all()
    return {
      variables,
      distinct: { representations, indexes, byText, isRead, family },
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
