/** Types of compiled operations: fields with all that is known before a request, and the state of an execution. */
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLLeafType,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
  ResponsePath,
} from 'graphql'
import type { CoercedVariables, CompiledArguments } from './arguments.ts'
import type { CollectedErrors, Data } from './result.ts'

/** Operation with its schema and fragments, the same for all executions. */
export interface OperationScope {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operation: OperationDefinitionNode
}

/** Execution of an operation. */
export interface Execution {
  readonly scope: OperationScope
  readonly contextValue: unknown
  readonly rootValue: unknown
  readonly variableValues: CoercedVariables
  readonly errors: CollectedErrors
}

/**
 * Completes a resolved value to its part of the result, or a promise of it. It gets `info` where the field needs it, and
 * a path unless it is a leaf.
 * @throws Error where the value cannot be completed.
 */
export type Complete = (
  execution: Execution,
  info: GraphQLResolveInfo | undefined,
  path: ResponsePath | undefined,
  value: unknown,
) => unknown

/** Field of a type with its merged selections. */
export interface SelectedField {
  readonly definition: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
  readonly parentType: GraphQLObjectType
}

/** Field of a result. */
export interface CompiledField extends SelectedField {
  /** Response name. */
  readonly key: string
  /** Whether an error of it is its parent's too. */
  readonly isNonNull: boolean
  /** Whether its resolver, or completing its value, takes a GraphQLResolveInfo. */
  readonly needsInfo: boolean
  /** Constant value: `__typename` is known with the type. */
  readonly constant: string | undefined
  /** Type of its values where they are leaves, read from the property of the same name. */
  readonly leaf: GraphQLLeafType | undefined
  /** Type of its values where they are leaves, made of a row by a resolver without arguments (`core/graph/row-resolvers.ts`). */
  readonly rowLeaf: GraphQLLeafType | undefined
  readonly args: CompiledArguments
  readonly complete: Complete
}

/**
 * Executes the selected fields of an object side by side.
 * @throws GraphQLError where an error is the parent's too.
 */
export type ExecuteFields = (
  execution: Execution,
  source: unknown,
  path: ResponsePath | undefined,
) => Data | Promise<Data>

/** Selected fields of an object of one type. */
export interface Selection {
  readonly fields: readonly CompiledField[]
  /** Makes an object for their values. */
  createData(): Data
  readonly execute: ExecuteFields
}

/** Compiles the fields that are selected of an object of this type, below a field. */
export type CompileFields = (type: GraphQLObjectType) => Selection
