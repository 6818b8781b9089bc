/** Compiles the selections of an operation: its fields are collected and merged once for each type. */
import {
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql'
import { readsRow } from '#core/graph/row-resolvers.ts'
import { collectFields, collectSubfields } from '#core/third-party/graphql.ts'
import { type CoercedVariables, compileArguments } from './arguments.ts'
import { compileComplete } from './complete.ts'
import { compileSelection } from './selection.ts'
import type { CompiledField, OperationScope, SelectedField, Selection } from './types.ts'

/** Thrown for an operation that is not compiled: graphql-js or Apollo Gateway executes it. */
export class NotCompiled extends Error {}

/** Number of fields that may still be compiled, since fragments can unfold without limit. */
export interface Budget {
  left: number
}

const definitionOf = (type: GraphQLObjectType, name: string) => {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef
  const definition = type.getFields()[name]
  // Introspection, or a field of a document that was not validated.
  if (!definition) throw new NotCompiled(name)
  return definition
}

const needsInfo = ({ definition }: SelectedField): boolean => {
  const { resolve } = definition
  if (resolve && !readsRow(resolve)) return true
  const type = getNamedType(definition.type)
  return isAbstractType(type) || (isObjectType(type) && Boolean(type.isTypeOf))
}

const leafOf = ({ type }: SelectedField['definition']) => {
  const nullable = getNullableType(type)
  return isLeafType(nullable) ? nullable : undefined
}

const isBare = ({ args }: SelectedField['definition']): boolean => args.length === 0

/** Compiles one operation for one case of its conditions. */
export class Compiler {
  readonly #scope: OperationScope
  readonly #conditions: CoercedVariables
  readonly #budget: Budget

  constructor(scope: OperationScope, conditions: CoercedVariables, budget: Budget) {
    this.#scope = scope
    this.#conditions = conditions
    this.#budget = budget
  }

  /**
   * Compiles the root fields.
   * @throws NotCompiled for introspection, unknown fields, and too many fields.
   */
  compile(rootType: GraphQLObjectType): Selection {
    const { schema, fragments, operation } = this.#scope
    const selected = collectFields(schema, fragments, this.#conditions, rootType, operation.selectionSet)
    return this.#fields(rootType, selected)
  }

  #fields(parentType: GraphQLObjectType, selected: Map<string, readonly FieldNode[]>): Selection {
    this.#budget.left -= selected.size
    if (this.#budget.left < 0) throw new NotCompiled('too many fields')
    const fields = Array.from(selected, ([key, nodes]) => this.#field(key, nodes, parentType))
    return compileSelection(fields)
  }

  #field(key: string, nodes: readonly FieldNode[], parentType: GraphQLObjectType): CompiledField {
    const definition = definitionOf(parentType, nodes[0]!.name.value)
    const field = { definition, nodes, parentType }
    const { schema } = this.#scope
    const args = compileArguments(definition, nodes[0]!)
    return {
      key,
      ...field,
      isNonNull: isNonNullType(definition.type),
      needsInfo: needsInfo(field),
      constant: definition === TypeNameMetaFieldDef ? parentType.name : undefined,
      leaf: definition.resolve || args.canFail ? undefined : leafOf(definition),
      rowLeaf:
        definition.resolve && readsRow(definition.resolve) && isBare(definition)
          ? leafOf(definition)
          : undefined,
      args,
      complete: compileComplete(definition.type, {
        schema,
        field,
        fieldsOf: type => this.#below(nodes, type),
      }),
    }
  }

  #below(nodes: readonly FieldNode[], type: GraphQLObjectType): Selection {
    const { schema, fragments } = this.#scope
    return this.#fields(type, collectSubfields(schema, fragments, this.#conditions, type, nodes))
  }
}
