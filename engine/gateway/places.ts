/** Places of a plan: the objects at a path of the data, with the lists and objects that hold them. */
import { assert } from '@apollo/federation-internals'
import type { ResponsePath } from '@apollo/query-planner'
import { generate } from '../subgraph/generate.ts'
import type { Entity } from './collect.ts'

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
