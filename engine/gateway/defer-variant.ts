/**
 * Operation as it is planned with `@defer`: its fragments unfolded, so that each `@defer` stands at one place, with a label of its
 * own, and without those that the client's variables switch off. Each combination of variables is a variant.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { deferArgument, isDefer } from '#gateway/deferral/directive.ts'
import type { IsCommon } from './common-fields.ts'
import { DeferPruning, planDefer } from './defer-pruning.ts'

type Variables = Readonly<Record<string, unknown>>

/** Fragment that is deferred. */
export interface Deferral {
  /** Label in the plan. */
  readonly id: string
  /** Label that the client gave it. */
  readonly label: string | undefined
}

export interface Variant {
  /** Document with the operation alone, by which responses are shaped. */
  readonly document: DocumentNode
  /** The same without the fields that fragments share with the parts before them, to be planned. */
  readonly toPlan: DocumentNode
  readonly deferrals: ReadonlyMap<string, Deferral>
}

/** Most selections of an unfolded operation: more are answered whole. */
const MAX_SELECTIONS = 2_000
/** Most deferred fragments of an operation: further ones come with their parents. */
const MAX_DEFERRALS = 16
/** Most variables by which fragments are deferred or not: each combination is planned by itself. */
const MAX_VARIABLES = 4

/** Variables by which an operation's fragments are deferred; undefined where there are too many combinations. */
export function deferVariables(document: DocumentNode): readonly string[] | undefined {
  const names = new Set<string>()
  visit(document, {
    Directive(node) {
      const value = isDefer(node) ? deferArgument(node, 'if') : undefined
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return names.size > MAX_VARIABLES ? undefined : [...names]
}

const isOn = (directive: DirectiveNode, variables: Variables): boolean => {
  const value = deferArgument(directive, 'if')
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value] === true
  return value?.kind !== Kind.BOOLEAN || value.value
}

const labelOf = (directive: DirectiveNode): string | undefined => {
  const value = deferArgument(directive, 'label')
  return value?.kind === Kind.STRING ? value.value : undefined
}

class TooLarge extends Error {}

class Unfolding {
  readonly deferrals = new Map<string, Deferral>()
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: Variables
  readonly #without: ReadonlySet<string>
  #selections = 0
  #count = 0

  constructor(document: DocumentNode, variables: Variables, without: ReadonlySet<string>) {
    const all = document.definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(all.map(one => [one.name.value, one]))
    this.#variables = variables
    this.#without = without
  }

  /** @param mayDefer whether fragments of the set itself can be deferred. */
  unfold({ kind, selections }: SelectionSetNode, mayDefer: boolean): SelectionSetNode {
    this.#selections += selections.length
    if (this.#selections > MAX_SELECTIONS) throw new TooLarge()
    return { kind, selections: selections.map(one => this.#selection(one, mayDefer)) }
  }

  #selection(node: SelectionNode, mayDefer: boolean): SelectionNode {
    if (node.kind === Kind.FIELD)
      return node.selectionSet ? { ...node, selectionSet: this.unfold(node.selectionSet, true) } : node
    const { typeCondition, selectionSet } =
      node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value)! : node
    const fragment: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT,
      typeCondition,
      directives: (node.directives ?? []).flatMap(one => this.#directive(one, mayDefer)),
      selectionSet: this.unfold(selectionSet, mayDefer),
    }
    return fragment
  }

  #directive(directive: DirectiveNode, mayDefer: boolean): DirectiveNode[] {
    if (!isDefer(directive)) return [directive]
    if (!mayDefer || !isOn(directive, this.#variables)) return []
    // Counted in any case, so that an id is the same with and without the others.
    const id = `d${this.#count}`
    this.#count += 1
    if (this.#without.has(id) || this.deferrals.size >= MAX_DEFERRALS) return []
    this.deferrals.set(id, { id, label: labelOf(directive) })
    return [planDefer(id)]
  }
}

interface Unfolded {
  readonly variables: Variables
  /** Ids of fragments that are not worth a part. */
  readonly without: ReadonlySet<string>
  readonly isCommon: IsCommon
}

/**
 * Makes the variant of an operation for these variables; undefined where nothing is deferred. Fields of a mutation itself are
 * never deferred: they are executed one after the other.
 */
export function variantOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables, without, isCommon }: Unfolded,
): Variant | undefined {
  const unfolding = new Unfolding(document, variables, without)
  try {
    const isQuery = operation.operation === OperationTypeNode.QUERY
    const selectionSet = unfolding.unfold(operation.selectionSet, isQuery)
    const { deferrals } = unfolding
    if (deferrals.size === 0) return undefined
    const root = schema.getRootType(operation.operation)!
    const selections = new DeferPruning(schema, isCommon).prune(selectionSet.selections, root)
    const documentOf = (set: SelectionSetNode): DocumentNode => ({
      kind: Kind.DOCUMENT,
      definitions: [{ ...operation, selectionSet: set }],
    })
    return {
      document: documentOf(selectionSet),
      toPlan: documentOf({ ...selectionSet, selections }),
      deferrals,
    }
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
