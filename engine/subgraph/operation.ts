/** An operation compiled once for each case of its conditions, and executed as graphql-js would execute it. */
import { type ExecutionResult, type GraphQLError, OperationTypeNode } from 'graphql'
import type { ExecuteCompiled } from '#core/context/engine.ts'
import { isPromise } from '#core/third-party/graphql.ts'
import { type Budget, Compiler, NotCompiled } from './compile.ts'
import { caseOf, casesOf, conditionsOf } from './conditions.ts'
import type { Data } from './data.ts'
import { CollectedErrors } from './errors.ts'
import { executeFields, executeSerially } from './fields.ts'
import type { Execution, OperationParts, Selection } from './types.ts'
import { compileVariables } from './variables.ts'

/** As many as make sixteen cases. */
const MAX_CONDITIONS = 4

const respond = (data: Data | null, { list }: CollectedErrors): ExecutionResult =>
  list.length === 0 ? { data } : { errors: list, data }

const execute = (selection: Selection, execution: Execution) => {
  const { errors, parts, rootValue } = execution
  /** Whatever a field fails with has its place already. */
  const fail = (error: unknown) => {
    errors.add(error as GraphQLError, undefined)
    return respond(null, errors)
  }
  try {
    const data =
      parts.operation.operation === OperationTypeNode.MUTATION
        ? executeSerially(selection, execution)
        : executeFields(selection, execution, rootValue, undefined)
    if (!isPromise(data)) return respond(data, errors)
    return (data as PromiseLike<Data>).then(resolved => respond(resolved, errors), fail)
  } catch (error) {
    return fail(error)
  }
}

const compileCases = (parts: OperationParts, conditions: readonly string[], budget: Budget) => {
  const rootType = parts.schema.getRootType(parts.operation.operation)
  if (!rootType || conditions.length > MAX_CONDITIONS) throw new NotCompiled('this operation')
  return casesOf(conditions).map(one => new Compiler(parts, one, budget).compile(rootType))
}

/**
 * Compiles one operation.
 * @throws NotCompiled for what is left to graphql-js as a whole.
 */
export function compileOperation(parts: OperationParts, budget: Budget): ExecuteCompiled {
  const { schema, operation, fragments } = parts
  const conditions = conditionsOf(operation, fragments)
  const cases = compileCases(parts, conditions, budget)
  const coerce = compileVariables(schema, operation.variableDefinitions ?? [])
  return ({ variableValues, contextValue, rootValue }) => {
    if (typeof (variableValues ?? {}) !== 'object') return undefined
    const { errors, coerced } = coerce(variableValues ?? {})
    // graphql-js words them all, and knows whether it may name what was meant.
    if (errors) return undefined
    const number = caseOf(conditions, coerced)
    if (number === undefined) return undefined
    const execution = {
      parts,
      contextValue,
      rootValue,
      variableValues: coerced,
      errors: new CollectedErrors(),
    }
    return execute(cases[number]!, execution)
  }
}
