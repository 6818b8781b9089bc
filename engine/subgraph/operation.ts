/** Operation compiled once for each case of its conditions, and executed as graphql-js would execute it. */
import {
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  validateSchema,
} from 'graphql'
import type { CompiledDocuments, ExecuteCompiled } from '#core/context/engine.ts'
import { isPromise } from '#core/graph/executor.ts'
import { type CoercedVariables, compileVariables } from './arguments.ts'
import { type Budget, Compiler, NotCompiled } from './compile.ts'
import { executeSerially } from './fields.ts'
import { CollectedErrors, type Data } from './result.ts'
import type { Execution, OperationScope, Selection } from './types.ts'

/** Number of conditions that make sixteen cases. */
const MAX_CONDITIONS = 4

const respond = (data: Data | null, { list }: CollectedErrors): ExecutionResult =>
  list.length === 0 ? { data } : { errors: list, data }

const execute = (selection: Selection, execution: Execution) => {
  const { errors, scope, rootValue } = execution
  /** Throws an error as it is: that of a field has its place already. */
  const fail = (error: unknown) => {
    errors.add(error as GraphQLError, undefined)
    return respond(null, errors)
  }
  try {
    const data =
      scope.operation.operation === OperationTypeNode.MUTATION
        ? executeSerially(selection, execution)
        : selection.execute(execution, rootValue, undefined)
    if (!isPromise(data)) return respond(data, errors)
    return (data as PromiseLike<Data>).then(resolved => respond(resolved, errors), fail)
  } catch (error) {
    return fail(error)
  }
}

const compileCases = (scope: OperationScope, conditions: readonly string[], budget: Budget) => {
  const rootType = scope.schema.getRootType(scope.operation.operation)
  if (!rootType || conditions.length > MAX_CONDITIONS) throw new NotCompiled('this operation')
  return casesOf(conditions).map(one => new Compiler(scope, one, budget).compile(rootType))
}

/**
 * Compiles one operation.
 * @throws NotCompiled for an operation that graphql-js executes.
 */
function compileOperation(scope: OperationScope, budget: Budget): ExecuteCompiled {
  const { schema, operation, fragments } = scope
  const conditions = conditionsOf(operation, fragments)
  const cases = compileCases(scope, conditions, budget)
  const coerce = compileVariables(schema, operation.variableDefinitions ?? [])
  return ({ variableValues, contextValue, rootValue }) => {
    if (typeof (variableValues ?? {}) !== 'object') return undefined
    const { errors, coerced } = coerce(variableValues ?? {})
    // graphql-js reports all faults, with suggestions where these are allowed.
    if (errors) return undefined
    const number = caseOf(conditions, coerced)
    if (number === undefined) return undefined
    const execution = {
      scope,
      contextValue,
      rootValue,
      variableValues: coerced,
      errors: new CollectedErrors(),
    }
    return execute(cases[number]!, execution)
  }
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

const CONDITIONS = ['skip', 'include']

const variablesOf = ({ name, arguments: given = [] }: DirectiveNode): string[] =>
  CONDITIONS.includes(name.value)
    ? given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
    : []

/** Variables of `@skip` and `@include` in an operation and the fragments that it spreads. */
function conditionsOf({ selectionSet }: OperationDefinitionNode, fragments: Fragments): string[] {
  const names = new Set<string>()
  const seen = new Set<string>()
  const below = (node: SelectionNode): SelectionSetNode | undefined => {
    if (node.kind !== Kind.FRAGMENT_SPREAD) return node.selectionSet
    const { value } = node.name
    if (seen.has(value)) return undefined
    seen.add(value)
    return fragments[value]?.selectionSet
  }
  const enter = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      for (const name of node.directives?.flatMap(variablesOf) ?? []) names.add(name)
      const next = below(node)
      if (next) enter(next)
    }
  }
  enter(selectionSet)
  return [...names]
}

/** Conditions that hold, as bits of a number; undefined where one is neither true nor false. */
const caseOf = (conditions: readonly string[], variables: CoercedVariables): number | undefined => {
  let number = 0
  for (const [index, name] of conditions.entries()) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (typeof value !== 'boolean') return undefined
    if (value) number |= 1 << index
  }
  return number
}

/** Variables for which `caseOf` gives each number from 0 on. */
const casesOf = (conditions: readonly string[]): CoercedVariables[] =>
  Array.from({ length: 1 << conditions.length }, (_, number) =>
    Object.fromEntries(conditions.map((name, index) => [name, Boolean(number & (1 << index))])),
  )

/** Fields of a document, far more than a portal writes; graphql-js executes larger ones. */
const MAX_FIELDS = 2_000
/** Size of a field with its completion, its arguments and its nodes. */
const FIELD_BYTES = 1_000

interface CompiledDocument {
  readonly bytes: number
  readonly byName: ReadonlyMap<string | undefined, ExecuteCompiled>
}

const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> => {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one
  return fragments
}

const operationsOf = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)

const tryCompile = (compile: () => ExecuteCompiled): ExecuteCompiled | undefined => {
  try {
    return compile()
  } catch (error) {
    if (error instanceof NotCompiled || error instanceof GraphQLError) return undefined
    throw error
  }
}

const compileDocument = (schema: GraphQLSchema, document: DocumentNode): CompiledDocument => {
  const budget: Budget = { left: MAX_FIELDS }
  const fragments = fragmentsOf(document)
  const operations = operationsOf(document)
  const byName = new Map<string | undefined, ExecuteCompiled>()
  for (const operation of operations) {
    const execute = tryCompile(() => compileOperation({ schema, fragments, operation }, budget))
    if (!execute) continue
    if (operation.name) byName.set(operation.name.value, execute)
    if (operations.length === 1) byName.set(undefined, execute)
  }
  return { byName, bytes: FIELD_BYTES * (MAX_FIELDS - Math.max(budget.left, 0)) }
}

/** Makes the store of a schema's compiled operations. */
export function createCompiledDocuments(schema: GraphQLSchema): CompiledDocuments {
  const isValid = validateSchema(schema).length === 0
  const documents = new WeakMap<DocumentNode, CompiledDocument>()
  return {
    add: document => void (isValid && documents.set(document, compileDocument(schema, document))),
    bytesOf: document => documents.get(document)?.bytes ?? 0,
    find: (document, operationName) => documents.get(document)?.byName.get(operationName),
  }
}
