/** Collects the representation of an entity, by which another subgraph finds it. */

import {
  type CompositeType,
  type FieldSelection,
  isObjectType,
  isSubtype,
  type Schema,
  type SelectionSet,
  type Type,
  typenameFieldName,
  Variable,
} from '@apollo/federation-internals'
import { getResponseName, type QueryPlanFieldNode, type QueryPlanSelectionNode } from '@apollo/query-planner'
import { type GraphQLSchema, Kind } from 'graphql'
import { deepMerge, isObjectOfType } from '#gateway/third-party/apollo-internals.ts'
import { generate } from '../subgraph/generate.ts'
import { createDataClass } from '../subgraph/result.ts'

/** Gives the value of the variable of a `@skip` or `@include`. */
export type Chosen = (variable: string) => boolean

/** Selections of a field at each place where it is selected. */
export type SelectionSets = readonly SelectionSet[]

export interface CollectedField {
  /** Value of a `__typename` field. */
  readonly typename?: string
  /** Undefined where the places at which it is selected do not agree on its type. */
  readonly type?: Type
  readonly selections: SelectionSet[]
  /** Type whose field it is at its first place. */
  readonly parent: CompositeType
}

interface Place {
  readonly type: CompositeType
  /** Type name in the object's data, if there is one. */
  readonly typename: string | undefined
  readonly selections: SelectionSets
  readonly chosen: Chosen
}

/** A `@skip` or `@include`. */
interface Condition {
  arguments(): { readonly if: unknown }
}

const holds = (condition: Condition, chosen: Chosen): boolean => {
  const value = condition.arguments().if
  return value instanceof Variable ? chosen(value.name) : value === true
}

type Element = ReturnType<SelectionSet['selections']>[number]['element']

/** Whether a `@skip` or `@include` leaves a selection out. */
export const isLeftOut = (element: Element, schema: Schema, chosen: Chosen): boolean => {
  const [skip] = element.appliedDirectivesOf(schema.skipDirective())
  const [include] = element.appliedDirectivesOf(schema.includeDirective())
  return (skip !== undefined && holds(skip, chosen)) || (include !== undefined && !holds(include, chosen))
}

class Collector {
  readonly fields = new Map<string, CollectedField>()
  /** False as soon as a selected field cannot be determined. */
  isComplete = true
  readonly #schema: Schema
  readonly #place: Place

  constructor(schema: Schema, place: Place) {
    this.#schema = schema
    this.#place = place
  }

  collect(set: SelectionSet, parent: CompositeType): void {
    for (const selection of set.selections()) {
      if (isLeftOut(selection.element, this.#schema, this.#place.chosen)) continue
      if (selection.kind === 'FieldSelection') this.#add(selection, parent)
      else {
        const { typeCondition } = selection.element
        if (this.#applies(typeCondition, parent))
          this.collect(selection.selectionSet, typeCondition ?? parent)
      }
    }
  }

  #applies(condition: CompositeType | undefined, parent: CompositeType): boolean {
    if (!condition) return true
    const { typename } = this.#place
    const type = typename === undefined ? parent : this.#schema.type(typename)
    return type !== undefined && isSubtype(condition, type)
  }

  #add({ element: field, selectionSet }: FieldSelection, parent: CompositeType): void {
    const key = field.responseName()
    const known = this.fields.get(key)
    if (field.name === typenameFieldName) {
      if (!known) this.#addTypename(key, parent)
    } else if (known) this.#join(key, known, field.definition.type!, selectionSet)
    else
      this.fields.set(key, {
        type: field.definition.type,
        selections: selectionSet ? [selectionSet] : [],
        parent,
      })
  }

  #addTypename(key: string, parent: CompositeType): void {
    const type = this.#place.typename === undefined ? parent : this.#place.type
    if (isObjectType(type)) this.fields.set(key, { typename: type.name, selections: [], parent })
    else this.isComplete = false
  }

  #join(key: string, known: CollectedField, type: Type, selectionSet: SelectionSet | undefined): void {
    const agrees = known.type?.toString() === type.toString()
    const selections = selectionSet ? [...known.selections, selectionSet] : known.selections
    this.fields.set(key, { type: agrees ? known.type : undefined, selections, parent: known.parent })
  }
}

/** Collects fields by their response names; undefined where they depend on a type name that is missing. */
export function collectFields(schema: Schema, place: Place): Map<string, CollectedField> | undefined {
  const collector = new Collector(schema, place)
  for (const set of place.selections) collector.collect(set, place.type)
  return collector.isComplete ? collector.fields : undefined
}

/** Data of an entity, fetched or to be sent. */
export type Entity = Record<string, unknown>

/** Takes the selected fields of an entity; null where one of them is missing, since they identify no entity then. */
export type Collect = (source: Entity | null) => Entity | null

/** Adds fields to a representation; false where the source lacks a required one. */
type Add = (source: Entity, to: Entity) => boolean

const addField = ({ selections, ...field }: QueryPlanFieldNode, schema: GraphQLSchema): Add => {
  const name = getResponseName({ ...field, selections })
  const inner = selections && compileCollect(selections, schema)
  const taken = (value: unknown) => (inner ? inner(value as Entity | null) : value)
  return (source, to) => {
    const value = Object.hasOwn(source, name) ? source[name] : undefined
    if (value === undefined) return false
    to[name] = Array.isArray(value) ? value.map(taken) : taken(value)
    return true
  }
}

/** Tests a type condition. Results are kept for the type names of the schema; names that it does not have are tested each time. */
const createTypeTest = (condition: string, schema: GraphQLSchema) => {
  const known = new Map<unknown, boolean>()
  return (source: Entity): boolean => {
    const typename = source['__typename']
    const found = known.get(typename)
    if (found !== undefined) return found
    const is = isObjectOfType(schema, source, condition)
    if (typeof typename === 'string' && schema.getType(typename)) known.set(typename, is)
    return is
  }
}

const NOTHING: Add = () => true

const toAdd = (selection: QueryPlanSelectionNode, schema: GraphQLSchema): Add => {
  if (selection.kind === Kind.FIELD) return addField(selection, schema)
  if (!selection.typeCondition) return NOTHING
  const collect = compileCollect(selection.selections, schema)
  const isOfType = createTypeTest(selection.typeCondition, schema)
  return (source, to) => {
    if (isOfType(source)) deepMerge(to, collect(source))
    return true
  }
}

/** Name of a field without selections, as keys mostly are; undefined for others, and for names that every object has. */
export const plainName = (selection: QueryPlanSelectionNode): string | undefined => {
  if (selection.kind !== Kind.FIELD || selection.selections) return undefined
  const name = getResponseName(selection)
  return name in Object.prototype ? undefined : name
}

/** Writes the statements that add one selection to a representation. */
const statementsOf = (selection: QueryPlanSelectionNode, index: number): string => {
  const name = plainName(selection)
  return name === undefined
    ? `if (!add${index}(source, to)) return null`
    : `value = source.${name}
    if (value === undefined) return null
    to.${name} = Array.isArray(value) ? [...value] : value`
}

/** Compiles the selection that a fetch requires of each entity. */
export function compileCollect(
  selections: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): Collect {
  const adds = selections.map(selection => toAdd(selection, schema))
  const create = createDataClass()
  const text = `source => {
    if (source === null) return null
    if (typeof source !== 'object' || Array.isArray(source)) return oneByOne(source)
    const to = create()
    let value
    ${selections.map(statementsOf).join('\n')}
    return to
  }`
  const names = selections.flatMap(selection => plainName(selection) ?? [])
  const closed = Object.fromEntries(adds.map((add, index) => [`add${index}`, add]))
  const oneByOne: Collect = source => {
    if (source === null) return null
    const to = create()
    return adds.every(add => add(source, to)) ? to : null
  }
  return generate<Collect>(text, names, { create, oneByOne, ...closed }) ?? oneByOne
}
