/**
 * Response of an operation, made of the data that its plan fetched: in a shape for regular data, in one that reports what is wrong
 * with others, or by Apollo's own `computeResponse` where these can be told in two ways.
 */
import type { Operation } from '@apollo/federation-internals'
import { GraphQLError } from 'graphql'
import { withoutStack } from '#core/errors/catalogue.ts'
import type { PlanResult } from '#gateway/supergraph/engine.ts'
import { computeResponse } from '#gateway/third-party/apollo-internals.ts'
import type { Chosen } from './collect.ts'
import type { PlanRun } from './fetch.ts'
import { compileIrregularShape, type Shaped } from './irregular-shape.ts'
import { compileShape, IRREGULAR } from './shape.ts'

/** Shapes data in Apollo's own way. @throws what it throws. */
const shapeByApollo = (operation: Operation, { variables, data: input }: PlanRun): Shaped =>
  withoutStack(() =>
    computeResponse({
      operation,
      variables: variables as Record<string, unknown> | undefined,
      input,
      introspectionHandling: () => undefined,
    }),
  )

/** Makes the result of irregular data: what is wrong with them shows where nothing else has failed. */
const resultOf = (shape: () => Shaped, { errors }: PlanRun): PlanResult => {
  try {
    const { data, errors: found } = shape() as { data: PlanResult['data']; errors: Shaped['errors'] }
    if (errors.length === 0 && found.length > 0) return { extensions: { valueCompletion: found }, data }
    return errors.length === 0 ? { data } : { errors, data }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] }
  }
}

/** Shapes of a response for one combination of conditions. */
class ConditionShapes {
  readonly regular: ReturnType<typeof compileShape>
  readonly #operation: Operation
  readonly #chosen: Chosen
  #irregular: ReturnType<typeof compileIrregularShape> | undefined

  constructor(operation: Operation, chosen: Chosen) {
    this.regular = compileShape(operation, chosen)
    this.#operation = operation
    this.#chosen = chosen
  }

  get irregular(): ReturnType<typeof compileIrregularShape> {
    this.#irregular ??= compileIrregularShape(this.#operation, this.#chosen)
    return this.#irregular
  }
}

/** Shapes irregular data with their errors, and has Apollo shape what can be told in two ways. */
const shapeIrregular = (
  operation: Operation,
  shapes: ConditionShapes | undefined,
  run: PlanRun,
): PlanResult => {
  const shape = () => {
    try {
      if (shapes) return shapes.irregular(run.data)
    } catch {
      // Apollo tells of it.
    }
    return shapeByApollo(operation, run)
  }
  return resultOf(shape, run)
}

/** Makes the function that finds the shape of a response, one for each combination of conditions. */
const createShapes = (operation: Operation, conditions: readonly string[]) => {
  const shapes = new Map<string, ConditionShapes>()
  const defaults = operation.collectDefaultedVariableValues()
  return (variables: PlanRun['variables']) => {
    const chosen = (name: string): boolean => {
      const value = variables && name in variables ? variables[name] : defaults[name]
      if (typeof value !== 'boolean') throw IRREGULAR
      return value
    }
    const key = conditions.map(name => (chosen(name) ? '1' : '0')).join('')
    const shape = shapes.get(key) ?? new ConditionShapes(operation, chosen)
    shapes.set(key, shape)
    return shape
  }
}

/**
 * Makes the function that makes responses of one operation.
 * @param conditions variables on which its shape depends.
 */
export const createRespond = (
  operation: Operation,
  conditions: readonly string[],
): ((run: PlanRun) => PlanResult) => {
  const shapesFor = createShapes(operation, conditions)
  return run => {
    let shapes: ConditionShapes | undefined
    try {
      shapes = shapesFor(run.variables)
      const data = shapes.regular(run.data) as PlanResult['data']
      return run.errors.length === 0 ? { data } : { errors: run.errors, data }
    } catch {
      return shapeIrregular(operation, shapes, run)
    }
  }
}
