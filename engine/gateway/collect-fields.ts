/** Collects the fields that an operation selects of one type, fragments unfolded, in the sequence of the response. */
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

const isLeftOut = (element: Element, schema: Schema, chosen: Chosen): boolean => {
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
    else this.fields.set(key, { type: field.definition.type, selections: selectionSet ? [selectionSet] : [] })
  }

  #addTypename(key: string, parent: CompositeType): void {
    const type = this.#place.typename === undefined ? parent : this.#place.type
    if (isObjectType(type)) this.fields.set(key, { typename: type.name, selections: [] })
    else this.isComplete = false
  }

  #join(key: string, known: CollectedField, type: Type, selectionSet: SelectionSet | undefined): void {
    const agrees = known.type?.toString() === type.toString()
    const selections = selectionSet ? [...known.selections, selectionSet] : known.selections
    this.fields.set(key, { type: agrees ? known.type : undefined, selections })
  }
}

/** Collects fields by their response names; undefined where they depend on a type name that is missing. */
export function collectFields(schema: Schema, place: Place): Map<string, CollectedField> | undefined {
  const collector = new Collector(schema, place)
  for (const set of place.selections) collector.collect(set, place.type)
  return collector.isComplete ? collector.fields : undefined
}
