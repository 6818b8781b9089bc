/** Compiles what an operation selects: fields that count are collected and merged once, for each type that they are of. */
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
import { collectFields, collectSubfields } from '#core/third-party/graphql.ts'
import { compileArguments, type Variables } from './arguments.ts'
import { compileComplete } from './complete.ts'
import { createDataClass } from './data.ts'
import type { CompiledField, OperationParts, SelectedField, Selection } from './types.ts'

/** Thrown for what is left to graphql-js. */
export class NotCompiled extends Error {}

/** How many more fields may be compiled: fragments can unfold to more than anyone can count. */
export interface Budget {
  left: number
}

const definitionOf = (type: GraphQLObjectType, name: string) => {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef
  const definition = type.getFields()[name]
  // Introspection, or a field that the document's validation knows nothing of.
  if (!definition) throw new NotCompiled(name)
  return definition
}

const needsInfo = ({ definition }: SelectedField): boolean => {
  const type = getNamedType(definition.type)
  return isAbstractType(type) || (isObjectType(type) && Boolean(type.isTypeOf))
}

const leafOf = ({ type }: SelectedField['definition']) => {
  const nullable = getNullableType(type)
  return isLeafType(nullable) ? nullable : undefined
}

/** Compiles one operation, for variables that say which of its conditions hold. */
export class Compiler {
  readonly #parts: OperationParts
  readonly #conditions: Variables
  readonly #budget: Budget

  constructor(parts: OperationParts, conditions: Variables, budget: Budget) {
    this.#parts = parts
    this.#conditions = conditions
    this.#budget = budget
  }

  /**
   * The outermost fields.
   * @throws NotCompiled.
   */
  compile(rootType: GraphQLObjectType): Selection {
    const { schema, fragments, operation } = this.#parts
    const selected = collectFields(schema, fragments, this.#conditions, rootType, operation.selectionSet)
    return this.#fields(rootType, selected)
  }

  #fields(parentType: GraphQLObjectType, selected: Map<string, readonly FieldNode[]>): Selection {
    this.#budget.left -= selected.size
    if (this.#budget.left < 0) throw new NotCompiled('too many fields')
    const fields = Array.from(selected, ([key, nodes]) => this.#field(key, nodes, parentType))
    return { fields, createData: createDataClass() }
  }

  #field(key: string, nodes: readonly FieldNode[], parentType: GraphQLObjectType): CompiledField {
    const definition = definitionOf(parentType, nodes[0]!.name.value)
    const field = { definition, nodes, parentType }
    const { schema } = this.#parts
    const args = compileArguments(definition, nodes[0]!)
    return {
      key,
      ...field,
      isNonNull: isNonNullType(definition.type),
      needsInfo: needsInfo(field),
      constant: definition === TypeNameMetaFieldDef ? parentType.name : undefined,
      leaf: definition.resolve || args.canFail ? undefined : leafOf(definition),
      args,
      complete: compileComplete(definition.type, {
        schema,
        field,
        fieldsOf: type => this.#below(nodes, type),
      }),
    }
  }

  #below(nodes: readonly FieldNode[], type: GraphQLObjectType): Selection {
    const { schema, fragments } = this.#parts
    return this.#fields(type, collectSubfields(schema, fragments, this.#conditions, type, nodes))
  }
}
