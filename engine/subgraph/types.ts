/** What an operation is compiled to: fields with all that is known of them before any request, and how one is executed. */
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
import type { CompiledArguments, Variables } from './arguments.ts'
import type { Data } from './data.ts'
import type { CollectedErrors } from './errors.ts'

/** What all executions of an operation have in common. */
export interface OperationParts {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly operation: OperationDefinitionNode
}

/** One execution of an operation. */
export interface Execution {
  readonly parts: OperationParts
  readonly contextValue: unknown
  readonly rootValue: unknown
  readonly variableValues: Variables
  readonly errors: CollectedErrors
}

/**
 * Makes of what a resolver gave what stands in the result, or a promise of it; throws what went wrong. It has `info`
 * where the field's `needsInfo` says so, and a path where it is no leaf.
 */
export type Complete = (
  execution: Execution,
  info: GraphQLResolveInfo | undefined,
  path: ResponsePath | undefined,
  value: unknown,
) => unknown

/** A field of a type with the selections of it that count. */
export interface SelectedField {
  readonly definition: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
  readonly parentType: GraphQLObjectType
}

/** A field of a result. */
export interface CompiledField extends SelectedField {
  /** Its name in the result. */
  readonly key: string
  /** Whether an error of it is its parent's too. */
  readonly isNonNull: boolean
  /** Whether completing its value takes a GraphQLResolveInfo: the one that its resolver was given. */
  readonly needsInfo: boolean
  /** What it always is: `__typename` is known with the type. */
  readonly constant: string | undefined
  /** The type of its values where they are leaves, and stand in the object as they are. */
  readonly leaf: GraphQLLeafType | undefined
  readonly args: CompiledArguments
  readonly complete: Complete
}

/** What is selected of an object of one type. */
export interface Selection {
  readonly fields: readonly CompiledField[]
  /** Makes an object for their values. */
  createData(): Data
}

/** Compiles what is selected of an object of this type, below a field. */
export type CompileFields = (type: GraphQLObjectType) => Selection
