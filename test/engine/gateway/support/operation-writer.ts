/** Writer of generated operations: aliases, fragments, conditions, arguments, and repeated fields. */
import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  Kind,
  parseType,
  type SelectionNode,
  type SelectionSetNode,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql'
import { jsonOf, literalOf } from '#test/support/input-values.ts'
import type { Random } from '#test/support/random.ts'

const MAX_DEPTH = 6
const MAX_CONDITIONS = 4

export const name = (value: string) => ({ kind: Kind.NAME, value }) as const
const named = (value: string) => ({ kind: Kind.NAMED_TYPE, name: name(value) }) as const
const variable = (value: string) => ({ kind: Kind.VARIABLE, name: name(value) }) as const

/** Properties of a generated operation. */
export interface Manner {
  /** How many fields it selects, about. */
  readonly selections: number
  /** How often a selection has a `@skip`, and how often an `@include`. */
  readonly conditions?: number
  /** How many fields of one object are selected at the most. */
  readonly width?: number
}

/** One operation as it grows. */
export class Writer {
  readonly fragments: FragmentDefinitionNode[] = []
  readonly definitions = new Map<string, VariableDefinitionNode>()
  readonly variables: Record<string, unknown> = {}
  readonly #schema: GraphQLSchema
  readonly #random: Random
  readonly #conditions: number
  readonly #width: number
  #left: number

  constructor(schema: GraphQLSchema, random: Random, { selections, conditions = 0.06, width = 5 }: Manner) {
    this.#schema = schema
    this.#random = random
    this.#conditions = conditions
    this.#width = width
    this.#left = selections
  }

  /** Some of a type's fields; repeated ones may no longer be distinguishable. */
  selectionSet(type: GraphQLCompositeType, depth = 0): SelectionSetNode {
    const random = this.#random
    const selections: SelectionNode[] = this.#fields(type, depth)
    if (random.chance(0.15) || selections.length === 0) selections.push(this.#typename())
    if (isAbstractType(type)) selections.push(...this.#narrowed(type, depth))
    else if (this.#left > 0 && random.chance(0.15)) selections.push(this.#fragment(type, depth))
    const [again] = selections
    if (again && random.chance(0.15)) selections.push(this.#again(again, type, depth))
    return { kind: Kind.SELECTION_SET, selections }
  }

  #fields(type: GraphQLCompositeType, depth: number): FieldNode[] {
    if (isUnionType(type)) return []
    const random = this.#random
    const all = Object.values(type.getFields())
    const wanted = Array.from({ length: 1 + random.below(depth === 0 ? 3 : this.#width) }, () =>
      random.pick(all),
    )
    return [...new Set(wanted)].flatMap(field => this.#field(field, depth))
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): FieldNode[] {
    const random = this.#random
    const type = getNamedType(field.type)
    this.#left -= 1
    if (isCompositeType(type) && (depth >= MAX_DEPTH || this.#left < 0)) return []
    return [
      {
        kind: Kind.FIELD,
        name: name(field.name),
        alias: random.chance(0.15) ? name(random.pick(['a', 'b', 'other', field.name])) : undefined,
        arguments: field.args.flatMap(argument => this.#argument(argument)),
        directives: this.#directives(),
        selectionSet: isCompositeType(type) ? this.selectionSet(type, depth + 1) : undefined,
      },
    ]
  }

  #typename(): FieldNode {
    const alias = this.#random.chance(0.4) ? name(this.#random.pick(['what', 'kindOf', 'a'])) : undefined
    return { kind: Kind.FIELD, name: name('__typename'), alias, directives: this.#directives() }
  }

  /** Of an interface or a union: some of the types that it may be, or another interface of theirs. */
  #narrowed(type: GraphQLAbstractType, depth: number): SelectionNode[] {
    const random = this.#random
    const possible = this.#schema.getPossibleTypes(type)
    if (this.#left < 0 || possible.length === 0) return []
    const interfaces = possible.flatMap(one => one.getInterfaces())
    return Array.from({ length: 1 + random.below(3) }, () => {
      const wide = interfaces.length > 0 && random.chance(0.3)
      return this.#fragment(wide ? random.pick(interfaces) : random.pick(possible), depth)
    })
  }

  #fragment(type: GraphQLCompositeType, depth: number): SelectionNode {
    const random = this.#random
    const selectionSet = this.selectionSet(type, depth + 1)
    const directives = this.#directives()
    if (random.chance(0.4)) return this.#spread(type, selectionSet, directives)
    const typeCondition = isObjectType(type) && random.chance(0.1) ? undefined : named(type.name)
    return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet }
  }

  #spread(
    type: GraphQLCompositeType,
    selectionSet: SelectionSetNode,
    directives: DirectiveNode[],
  ): SelectionNode {
    const own = name(`F${this.fragments.length}`)
    this.fragments.push({
      kind: Kind.FRAGMENT_DEFINITION,
      name: own,
      typeCondition: named(type.name),
      selectionSet,
    })
    return { kind: Kind.FRAGMENT_SPREAD, name: own, directives }
  }

  /** The same field once more, with more selected of it, perhaps within a fragment. */
  #again(selection: SelectionNode, type: GraphQLCompositeType, depth: number): SelectionNode {
    if (selection.kind !== Kind.FIELD || isUnionType(type)) return selection
    const field = type.getFields()[selection.name.value]
    const inner = field && getNamedType(field.type)
    const more = isCompositeType(inner) && depth < MAX_DEPTH ? this.selectionSet(inner, depth + 1) : undefined
    const again = {
      ...selection,
      directives: this.#directives(),
      selectionSet: more ?? selection.selectionSet,
    }
    if (this.#random.chance(0.5)) return again
    const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [again] }
    const typeCondition = named(type.name)
    return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives: this.#directives(), selectionSet }
  }

  #argument(argument: GraphQLArgument): ArgumentNode[] {
    const random = this.#random
    if (!isRequiredArgument(argument) && random.chance(0.7)) return []
    return [{ kind: Kind.ARGUMENT, name: name(argument.name), value: this.#value(argument) }]
  }

  #value(argument: GraphQLArgument): ValueNode {
    const random = this.#random
    if (random.chance(0.5)) return literalOf(argument.type, random)
    const own = `v${this.definitions.size}`
    const isOptional = !isRequiredArgument(argument)
    const defaultValue = random.chance(0.3) ? literalOf(argument.type, random) : undefined
    this.#define(
      own,
      parseType(String(argument.type)),
      defaultValue as VariableDefinitionNode['defaultValue'],
    )
    if ((!defaultValue && !isOptional) || random.chance(0.6))
      this.variables[own] = jsonOf(argument.type, random)
    else if (isOptional && !defaultValue && !String(argument.type).endsWith('!') && random.chance(0.5))
      this.variables[own] = null
    return variable(own)
  }

  #define(own: string, type: TypeNode, defaultValue: VariableDefinitionNode['defaultValue']): void {
    this.definitions.set(own, {
      kind: Kind.VARIABLE_DEFINITION,
      variable: variable(own),
      type,
      defaultValue,
    })
  }

  #directives(): DirectiveNode[] {
    const random = this.#random
    return ['skip', 'include']
      .filter(() => random.chance(this.#conditions))
      .map(own => ({
        kind: Kind.DIRECTIVE,
        name: name(own),
        arguments: [{ kind: Kind.ARGUMENT, name: name('if'), value: this.#condition() }],
      }))
  }

  #condition(): ArgumentNode['value'] {
    const random = this.#random
    const value = random.chance(0.5)
    if (random.chance(0.25)) return { kind: Kind.BOOLEAN, value }
    const own = `c${random.below(MAX_CONDITIONS)}`
    if (!this.definitions.has(own)) {
      const isGiven = random.chance(0.8)
      this.#define(own, parseType('Boolean!'), isGiven ? undefined : { kind: Kind.BOOLEAN, value })
      if (isGiven) this.variables[own] = value
    }
    return variable(own)
  }
}
