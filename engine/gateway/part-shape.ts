/**
 * Shape of one part of a response, in Apollo Gateway's own way, so that parts put together are the whole response; and the
 * objects in it whose deferred fragments follow.
 */
import {
  type CompositeType,
  type FragmentElement,
  isCompositeType,
  isSubtype,
  type Operation,
  type Schema,
  type SelectionSet,
} from '@apollo/federation-internals'
import type { GraphQLError } from 'graphql'
import { shapeFrom } from '#gateway/third-party/apollo-internals.ts'
import { type Chosen, type Entity, isLeftOut } from './collect.ts'

type Selection = ReturnType<SelectionSet['selections']>[number]
export type Path = readonly (string | number)[]

/** Deferred fragment at an object that the client knows. */
export interface Occurrence {
  /** Label in the plan. */
  readonly id: string
  readonly path: Path
  /** Data of the object, into which later fetches are merged. */
  readonly input: Entity
  readonly type: CompositeType
  readonly selectionSet: SelectionSet
}

export interface ShapedPart {
  readonly data: Record<string, unknown> | null
  /** Faults of the data themselves. */
  readonly faults: readonly GraphQLError[]
  /** Fragments that follow. */
  readonly deferred: readonly Occurrence[]
  /** Places of objects and lists that are null because of a field in them that may not be. */
  readonly nulled: readonly Path[]
}

const idOf = (element: FragmentElement): string | undefined => element.deferDirectiveArgs()?.label

const isDeferred = ({ kind, element }: Selection): boolean =>
  kind === 'FragmentSelection' && idOf(element as FragmentElement) !== undefined

const undeferred = new WeakMap<SelectionSet, SelectionSet>()

/** Selections without deferred fragments. A set that has no other is empty, which Apollo's own functions would remove. */
const withoutDeferred = (set: SelectionSet): SelectionSet => {
  const known = undeferred.get(set)
  if (known) return known
  const kept = set
    .selections()
    .filter(one => !isDeferred(one))
    .map(one =>
      one.selectionSet
        ? Object.create(one, { selectionSet: { value: withoutDeferred(one.selectionSet) } })
        : one,
    )
  const made = Object.create(set, { selections: { value: () => kept } }) as SelectionSet
  undeferred.set(set, made)
  return made
}

interface Finding {
  readonly schema: Schema
  readonly chosen: Chosen
  readonly found: Occurrence[]
  readonly nulled: Path[]
}

interface At {
  readonly input: Entity
  readonly output: Record<string, unknown>
  readonly path: Path
}

interface Below {
  readonly type: CompositeType
  readonly selections: SelectionSet[]
}

const typeOf = (schema: Schema, { __typename: name }: Entity, known: CompositeType): CompositeType => {
  const type = typeof name === 'string' ? schema.type(name) : undefined
  return type && isCompositeType(type) ? type : known
}

/** Collects the fields below and the deferred fragments of one object. */
const collect = (
  finding: Finding,
  at: At,
  set: SelectionSet,
  parent: CompositeType,
  fields: Map<string, Below>,
) => {
  const { schema, chosen, found } = finding
  for (const selection of set.selections()) {
    const { element, selectionSet } = selection
    if (!selectionSet || isLeftOut(element, schema, chosen)) continue
    if (selection.kind === 'FieldSelection') {
      const key = selection.element.responseName()
      const known = fields.get(key)
      const type = selection.element.baseType() as CompositeType
      if (known) known.selections.push(selectionSet)
      else fields.set(key, { type, selections: [selectionSet] })
      continue
    }
    const { typeCondition = parent } = selection.element
    if (!isSubtype(typeCondition, typeOf(schema, at.input, parent))) continue
    const id = idOf(selection.element)
    if (id === undefined) collect(finding, at, selectionSet, typeCondition, fields)
    else found.push({ id, path: at.path, input: at.input, type: typeCondition, selectionSet })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const findBelow = (finding: Finding, below: Below, output: unknown, input: unknown, path: Path): void => {
  if (!isObject(input)) return
  if (output === null) finding.nulled.push(path)
  if (!isObject(output)) return
  if (Array.isArray(output)) {
    const items: unknown[] = Array.isArray(input) ? input : []
    for (const [index, one] of output.entries())
      findBelow(finding, below, one, items[index], [...path, index])
  } else find(finding, { input, output, path }, below.selections, below.type)
}

/** Finds the deferred fragments of what a part shows. */
const find = (finding: Finding, at: At, sets: readonly SelectionSet[], type: CompositeType): void => {
  const fields = new Map<string, Below>()
  const own = typeOf(finding.schema, at.input, type)
  for (const set of sets) collect(finding, at, set, own, fields)
  for (const [key, below] of fields)
    findBelow(finding, below, at.output[key], at.input[key], [...at.path, key])
}

/** Values of variables, of which those of conditions are booleans. */
type Values = Readonly<Record<string, unknown>>

/** Makes the function that shapes the parts of an operation. */
export function createPartShapes(operation: Operation) {
  const schema = operation.schema()
  const defaults = operation.collectDefaultedVariableValues()
  return {
    /** The first part, as an occurrence. */
    rootOf: (input: Entity): Occurrence => ({
      id: '',
      path: [],
      input,
      type: schema.schemaDefinition.rootType(operation.rootKind)!,
      selectionSet: operation.selectionSet,
    }),
    /** @throws Error for data that cannot be shaped at all. */
    shape({ path, input, type, selectionSet }: Occurrence, variables: Values | undefined): ShapedPart {
      const values: Values = { ...defaults, ...variables }
      const shown = withoutDeferred(selectionSet)
      const { data, errors: faults } = shapeFrom({
        operation,
        type,
        selectionSet: shown,
        variables: values,
        input,
      })
      for (const fault of faults) Object.assign(fault, { path: [...path, ...(fault.path ?? [])] })
      const [found, nulled]: [Occurrence[], Path[]] = [[], []]
      const finding: Finding = { schema, chosen: name => values[name] === true, found, nulled }
      if (data) find(finding, { input, output: data, path }, [selectionSet], type)
      return { data, faults, deferred: found, nulled }
    },
  }
}

export type PartShapes = ReturnType<typeof createPartShapes>
