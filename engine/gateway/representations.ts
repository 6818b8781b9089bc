/**
 * Representations of the entities at the places of a fetch, each once. Entities are told apart by a text of the values that the
 * representation would have, so that one is made for the first of equal entities alone.
 */
import type { QueryPlanSelectionNode, ResponsePath } from '@apollo/query-planner'
import { type GraphQLSchema, isObjectType, Kind } from 'graphql'
import { areEqual } from '#core/values/json.ts'
import { isObjectOfType } from '#gateway/third-party/apollo-internals.ts'
import { generate } from '../subgraph/generate.ts'
import { createDataClass } from '../subgraph/result.ts'
import { type Collect, compileCollect, type Entity, plainName } from './collect.ts'

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

export const compileGather = (path: ResponsePath): Gather | undefined => {
  const names = path.filter(one => one !== '@').map(String)
  if (path.length === 0 || names.some(name => name in Object.prototype)) return undefined
  const text = `(value0, places) => { ${loopsOf(path, 0, 'undefined', 'undefined')}\nreturn true }`
  return generate<Gather>(text, names, {})
}

/** Representations of the entities of a fetch. */
export class Represented {
  /** Representations, each once. */
  readonly representations: Entity[] = []
  /** Index of the representation of each entity. */
  readonly indexes: number[] = []
  /** Entities that have one, in their sequence. */
  readonly entities: Entity[] = []
  /** First entity of each representation. */
  readonly firsts: Entity[] = []
  #byText: Map<string, number> | undefined

  /** Index of each representation by its text; without any where an entity was alone. */
  get byText(): Map<string, number> {
    this.#byText ??= new Map()
    return this.#byText
  }

  /** Adds an entity, and a representation of its own. */
  add(entity: Entity, representation: Entity): void {
    this.indexes.push(this.representations.push(representation) - 1)
    this.entities.push(entity)
    this.firsts.push(entity)
  }

  /** Gives the representation of each entity. */
  all(): Entity[] {
    if (this.indexes.length === this.representations.length) return this.representations
    return this.indexes.map(index => this.representations[index]!)
  }
}

/** Writes a value so that no two texts of values in a row are equal but those of equal values. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return `${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `${value};`
  return `j${textOf(JSON.stringify(value))}`
}

/** Representation of entities of one type, whose required fields are leaves. */
interface Written {
  /** Writes the text of an entity; undefined where it lacks a required field. */
  readonly text: (entity: Entity) => string | undefined
  readonly collect: (entity: Entity) => Entity
}

const write = (names: readonly string[]): Written | undefined => {
  const create = createDataClass()
  const text = generate<Written['text']>(
    `entity => {
      let text = '', value
      ${names
        .map(
          name => `value = entity.${name}
      if (value === undefined) return undefined
      text += typeof value === 'string' ? value.length + ':' + value : textOf(value)`,
        )
        .join('\n')}
      return text
    }`,
    names,
    { textOf },
  )
  const collect = generate<Written['collect']>(
    `entity => {
      const to = create()
      let value
      ${names
        .map(
          name => `value = entity.${name}
      to.${name} = Array.isArray(value) ? [...value] : value`,
        )
        .join('\n')}
      return to
    }`,
    names,
    { create },
  )
  return text && collect && { text, collect }
}

/** Finds the names that a type requires; undefined where some are not leaves, or are required of every type. */
const namesFor = (
  requires: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
  typename: string,
): string[] | undefined => {
  const names = new Set<string>()
  for (const one of requires) {
    if (one.kind === Kind.FIELD || !one.typeCondition) return undefined
    if (!isObjectOfType(schema, { __typename: typename }, one.typeCondition)) continue
    for (const selection of one.selections) {
      const name = plainName(selection)
      if (name === undefined) return undefined
      names.add(name)
    }
  }
  return names.has('__typename') ? [...names] : undefined
}

/** Makes the function that finds how the entities of a type are represented, where that can be written. */
const createWritten = (requires: readonly QueryPlanSelectionNode[], schema: GraphQLSchema) => {
  const known = new Map<unknown, Written | undefined>()
  return ({ __typename: typename }: Entity): Written | undefined => {
    const found = known.get(typename)
    if (found || known.has(typename)) return found
    if (typeof typename !== 'string' || !isObjectType(schema.getType(typename))) return undefined
    const names = namesFor(requires, schema, typename)
    known.set(typename, names && write(names))
    return known.get(typename)
  }
}

export interface RepresentOptions {
  readonly requires: readonly QueryPlanSelectionNode[]
  readonly schema: GraphQLSchema
  /** Changes a representation before it is sent; absent where none is. */
  readonly rewrite: ((representation: Entity) => void) | undefined
  /** Whether equal entities may become one object. */
  readonly mayShare: boolean
  /** Whether other fetches ask for entities by the same texts. */
  readonly hasFamily: boolean
}

/** Finds the representation of an entity that cannot be written; undefined where it identifies none. */
const collectAny = (entity: Entity, collect: Collect, rewrite: RepresentOptions['rewrite']) => {
  const representation = collect(entity)
  if (!representation?.['__typename']) return undefined
  rewrite?.(representation)
  return representation
}

/** Number of objects among which one is looked for by itself. */
const FEW = 16

/** Compiles the representations of entities. An entity without keys has none. */
export function compileRepresent({ requires, schema, rewrite, mayShare, hasFamily }: RepresentOptions) {
  const collect = compileCollect(requires, schema)
  const writtenFor = rewrite ? () => undefined : createWritten(requires, schema)
  const collectOne = (entity: Entity) => {
    const written = writtenFor(entity)
    if (written?.text(entity) !== undefined) return written.collect(entity)
    return collectAny(entity, collect, rewrite)
  }
  return (found: readonly Entity[], places: Places | undefined): Represented => {
    const represented = new Represented()
    if (found.length === 1 && !hasFamily) {
      const representation = collectOne(found[0]!)
      if (representation) represented.add(found[0]!, representation)
      return represented
    }
    const { byText, indexes, entities, firsts } = represented
    for (let place = 0; place < found.length; place += 1) {
      let entity = found[place]!
      // An object that stands at several places is found faster than the text of its keys is written.
      const same = mayShare && firsts.length <= FEW ? firsts.indexOf(entity) : -1
      if (same >= 0) {
        indexes.push(same)
        entities.push(entity)
        continue
      }
      const written = writtenFor(entity)
      const own = written?.text(entity)
      const any = own === undefined ? collectAny(entity, collect, rewrite) : undefined
      if (own === undefined && !any) continue
      const text = own ?? JSON.stringify(any)
      const index = byText.get(text)
      if (index === undefined) {
        byText.set(text, firsts.length)
        represented.add(entity, any ?? written!.collect(entity))
        continue
      }
      if (mayShare && places && firsts[index] !== entity && areEqual(firsts[index], entity)) {
        entity = firsts[index]!
        places.replace(place, entity)
      }
      indexes.push(index)
      entities.push(entity)
    }
    return represented
  }
}
