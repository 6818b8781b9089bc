/** One execution of a plan: its steps, the options of its fetches, and the places of its data to which they lead. */
import { assert } from '@apollo/federation-internals'
import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import type { FormattedExecutionResult } from 'graphql'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type { Send } from '#gateway/supergraph/engine.ts'
import type { GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { generate } from '../subgraph/generate.ts'
import type { Entity } from './collect.ts'
import type { Twins } from './twins.ts'

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
  readonly twins: Twins
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined

/** Compiles the access to a path as Apollo Gateway has it; `@` stands for each item of a list. */
const compileAccess = ([head, ...rest]: ResponsePath): ((value: unknown) => unknown) => {
  if (head === undefined) return value => value
  const next = compileAccess(rest)
  if (head === '@')
    return value =>
      isNothing(value) ? value : (value as unknown[]).flatMap(next as (one: unknown) => unknown)
  return value => {
    if (isNothing(value)) return value
    assert(!Array.isArray(value), () => `Unexpected array in result for path element ${head}`)
    return next(Object.hasOwn(value as object, head) ? (value as Record<string, unknown>)[head] : undefined)
  }
}

type Holder = Record<string | number, unknown>

/** Objects at a path, without null. An object that stands at several places is listed for each. */
export class Places {
  readonly entities: Entity[] = []
  readonly #holders: Holder[] = []
  readonly #keys: (string | number)[] = []

  add(entity: Entity, holder: Holder, key: string | number): void {
    this.entities.push(entity)
    this.#holders.push(holder)
    this.#keys.push(key)
  }

  /** Puts another object at a place. */
  replace(index: number, entity: Entity): void {
    this.#holders[index]![this.#keys[index]!] = entity
  }
}

/** Fills places; false, with nothing that counts in them, where the data are not as a path has them. */
type Gather = (data: unknown, places: Places) => boolean

/** Writes the loops over a path; `value` stands for the value that was reached, `holder` and `key` for its place. */
const loopsOf = ([head, ...rest]: ResponsePath, depth: number, holder: string, key: string): string => {
  const value = `value${depth}`
  const isPresent = `${value} !== undefined && ${value} !== null`
  if (head === undefined)
    return `if (${isPresent}) {
      if (typeof ${value} !== 'object' || Array.isArray(${value})) return false
      places.add(${value}, ${holder}, ${key})
    }`
  const next = `value${depth + 1}`
  if (head !== '@')
    return `if (${isPresent}) {
      if (typeof ${value} !== 'object' || Array.isArray(${value})) return false
      const ${next} = ${value}.${head}
      ${loopsOf(rest, depth + 1, value, `'${head}'`)}
    }`
  const index = `index${depth}`
  return `if (${isPresent}) {
    if (!Array.isArray(${value})) return false
    for (let ${index} = 0; ${index} < ${value}.length; ${index} += 1) {
      const ${next} = ${value}[${index}]
      ${loopsOf(rest, depth + 1, value, index)}
    }
  }`
}

const compileGather = (path: ResponsePath): Gather | undefined => {
  const names = path.filter(one => one !== '@').map(String)
  if (path.length === 0 || names.some(name => name in Object.prototype)) return undefined
  const text = `(value0, places) => { ${loopsOf(path, 0, 'undefined', 'undefined')}\nreturn true }`
  return generate<Gather>(text, names, {})
}

/**
 * Compiles the access to a path: the places at it or, where the data are not as expected, what Apollo Gateway would
 * find there.
 */
export const compilePath = (path: ResponsePath): ((data: unknown) => unknown) => {
  const gather = compileGather(path)
  const access = compileAccess(path)
  return data => {
    const places = new Places()
    return gather?.(data, places) ? places : access(data)
  }
}
