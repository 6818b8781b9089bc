/**
 * Deferred fragments as they are planned. The planner would fetch what several parts select for each of them, so that a list
 * could have other items by then, and a field fail in one part alone. So a field that a part before brings anyway is left out, and
 * an object that several parts select comes with the part around them, where its fields are deferred at the object itself. Fields
 * that every subgraph has come with their object, as in a whole response: by themselves they would come from a subgraph that may
 * be down.
 */
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isCompositeType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql'
import { deferArgument, isDefer } from '#gateway/deferral/directive.ts'
import type { IsCommon } from './common-fields.ts'

/** Fields that are there for all variables, by their response names, each with those below it. */
interface Known extends ReadonlyMap<string, Known> {}

const NONE: Known = new Map()

const join = (all: readonly (Known | undefined)[]): Known => {
  const joined = new Map<string, Known>()
  for (const known of all)
    for (const [key, below] of known ?? []) joined.set(key, join([joined.get(key), below]))
  return joined
}

/** Fields of an object in all parts, by their response names. */
interface Sharing extends ReadonlyMap<string, Shared> {}

interface Shared {
  /** Ids of the parts that select it. */
  readonly parts: Set<string>
  readonly below: Sharing
}

const NOT_SHARED: Sharing = new Map()

/** Part that is not deferred. */
const FIRST = ''

/** Fragment around a selection, or the object that it stands in. */
interface Level {
  readonly known: Known
  readonly fragment?: InlineFragmentNode
  /** Id of a deferred fragment. */
  readonly id?: string | undefined
  /** Selections that fragments within it leave to it. */
  readonly moved: SelectionNode[]
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

const labelOf = ({ directives = [] }: InlineFragmentNode): string | undefined => {
  const label = directives.filter(isDefer).map(one => deferArgument(one, 'label'))[0]
  return label?.kind === Kind.STRING ? label.value : undefined
}

/** Makes the `@defer` of a fragment in a plan. */
export const planDefer = (label: string): DirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'defer' },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'label' },
      value: { kind: Kind.STRING, value: label },
    },
  ],
})

/** Finds the id of a fragment by a label in the plan: a fragment that was split has several. */
export const idInPlan = (label: string): string => label.split('.', 1)[0]!

const fragmentOf = (
  selections: readonly SelectionNode[],
  directives: readonly DirectiveNode[],
  typeCondition?: InlineFragmentNode['typeCondition'],
): InlineFragmentNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition,
  directives,
  selectionSet: { kind: Kind.SELECTION_SET, selections },
})

const hasDirectives = ({ directives = [] }: SelectionNode): boolean => directives.length > 0

/** Levels outside of the innermost deferred fragment. */
const before = (levels: readonly Level[]): readonly Level[] =>
  levels.slice(
    0,
    Math.max(
      0,
      levels.findLastIndex(({ id }) => id !== undefined),
    ),
  )

/** Wraps a selection in the conditions of fragments, from the outermost. */
const within = (levels: readonly Level[], selection: SelectionNode): SelectionNode =>
  levels.reduceRight<SelectionNode>((inner, { fragment }) => {
    const { directives = [], typeCondition } = fragment!
    return fragmentOf(
      [inner],
      directives.filter(one => !isDefer(one)),
      typeCondition,
    )
  }, selection)

/** Notes which parts select which fields, under any condition. */
const note = (selections: readonly SelectionNode[], part: string, into: Map<string, Shared>): void => {
  for (const one of selections) {
    if (one.kind === Kind.INLINE_FRAGMENT) note(one.selectionSet.selections, labelOf(one) ?? part, into)
    if (one.kind !== Kind.FIELD) continue
    const known = into.get(keyOf(one)) ?? { parts: new Set<string>(), below: new Map<string, Shared>() }
    known.parts.add(part)
    into.set(keyOf(one), known)
    if (one.selectionSet) note(one.selectionSet.selections, part, known.below as Map<string, Shared>)
  }
}

/** Object of an operation. */
interface At {
  /** Type that it has at least; undefined where that is not known. */
  readonly type: GraphQLCompositeType | undefined
  readonly sharing: Sharing
}

/** Prunes one operation, whose fragments are all unfolded. */
export class DeferPruning {
  readonly #schema: GraphQLSchema
  readonly #isCommon: IsCommon
  #splits = 0

  constructor(schema: GraphQLSchema, isCommon: IsCommon) {
    this.#schema = schema
    this.#isCommon = isCommon
  }

  /** Prunes the selections of an operation. */
  prune(selections: readonly SelectionNode[], type: GraphQLCompositeType): SelectionNode[] {
    const sharing = new Map<string, Shared>()
    note(selections, FIRST, sharing)
    return this.#pruned(selections, { type, sharing }, [{ known: this.#known(selections, type), moved: [] }])
  }

  /** Prunes the selections of the innermost level. */
  #pruned(selections: readonly SelectionNode[], at: At, levels: readonly Level[]): SelectionNode[] {
    const kept = selections.flatMap(one => {
      if (one.kind === Kind.FIELD) return this.#field(one, at, levels)
      return one.kind === Kind.INLINE_FRAGMENT ? this.#fragment(one, at, levels) : [one]
    })
    return [...kept, ...levels.at(-1)!.moved]
  }

  #field(node: FieldNode, at: At, levels: readonly Level[]): SelectionNode[] {
    const key = keyOf(node)
    const isDeferred = levels.some(({ id }) => id !== undefined)
    if (!node.selectionSet) {
      if (before(levels).some(({ known }) => known.has(key))) return []
      if (!isDeferred || !at.type || !this.#isCommon(at.type, node.name.value)) return [node]
      levels[0]!.moved.push(within(levels.slice(1), node))
      return []
    }
    const { parts, below: sharing = NOT_SHARED } = at.sharing.get(key) ?? {}
    const below: At = { type: this.#typeBelow(at.type, node), sharing }
    if (isDeferred && (parts?.size ?? 1) > 1) {
      this.#split(node, below, levels)
      return []
    }
    const known = join(levels.map(level => level.known.get(key)))
    const inner = this.#pruned(node.selectionSet.selections, below, [{ known, moved: [] }])
    return inner.length > 0 ? [withSelections(node, inner)] : []
  }

  #fragment(node: InlineFragmentNode, at: At, levels: readonly Level[]): SelectionNode[] {
    const { selections } = node.selectionSet
    const type = this.#narrowed(at.type, node)
    const level = { known: this.#known(selections, type), fragment: node, id: labelOf(node), moved: [] }
    const pruned = this.#pruned(selections, { ...at, type }, [...levels, level])
    return pruned.length > 0 ? [{ ...node, selectionSet: { ...node.selectionSet, selections: pruned } }] : []
  }

  /** Has the outermost part bring an object, and defers what a fragment selects of it there. */
  #split(node: FieldNode, below: At, levels: readonly Level[]): void {
    const key = keyOf(node)
    const { selections } = node.selectionSet!
    const object: Level = { known: join(before(levels).map(({ known }) => known.get(key))), moved: [] }
    const id = `${idInPlan(levels.findLast(level => level.id !== undefined)!.id!)}.${this.#splits++}`
    const part: Level = {
      known: this.#known(selections, below.type),
      fragment: fragmentOf([], []),
      id,
      moved: [],
    }
    const pruned = this.#pruned(selections, below, [object, part])
    const inner = [...object.moved, ...(pruned.length > 0 ? [fragmentOf(pruned, [planDefer(id)])] : [])]
    if (inner.length > 0) levels[0]!.moved.push(within(levels.slice(1), withSelections(node, inner)))
  }

  /** Collects the fields that selections have for each object of a type. */
  #known(selections: readonly SelectionNode[], type: At['type']): Known {
    return join(
      selections.map(one => {
        if (hasDirectives(one)) return NONE
        if (one.kind === Kind.FIELD) {
          const { selectionSet } = one
          const below = selectionSet && this.#known(selectionSet.selections, this.#typeBelow(type, one))
          return new Map([[keyOf(one), below ?? NONE]])
        }
        const isSame = one.kind === Kind.INLINE_FRAGMENT && this.#narrowed(type, one) === type
        return isSame ? this.#known(one.selectionSet.selections, type) : NONE
      }),
    )
  }

  #narrowed(type: At['type'], { typeCondition }: InlineFragmentNode): At['type'] {
    const narrowed = typeCondition ? this.#schema.getType(typeCondition.name.value) : type
    return isCompositeType(narrowed) ? narrowed : undefined
  }

  #typeBelow(type: At['type'], { name }: FieldNode): At['type'] {
    const field = type && !isUnionType(type) ? type.getFields()[name.value] : undefined
    const below = field && getNamedType(field.type)
    return isCompositeType(below) ? below : undefined
  }
}

const withSelections = (node: FieldNode, selections: readonly SelectionNode[]): FieldNode => ({
  ...node,
  selectionSet: { kind: Kind.SELECTION_SET, selections },
})
