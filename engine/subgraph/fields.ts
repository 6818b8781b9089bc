/** Executes the fields of an object: resolver, arguments and order of calls as graphql-js has them. */
import type { GraphQLResolveInfo, ResponsePath } from 'graphql'
import { isPromise } from '#core/graph/executor.ts'
import { type Data, nullFor } from './result.ts'
import type { CompiledField, ExecuteFields, Execution, SelectedField, Selection } from './types.ts'

export const hasProperties = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Property under the field's name; undefined in a value that is no object. */
const propertyOf = ({ definition }: CompiledField, source: unknown): unknown =>
  hasProperties(source) ? source[definition.name] : undefined

/**
 * Value of a property: the property itself, or the result of calling it where it is a function; graphql-js looks it up
 * once more for the call.
 */
const valueAt = (
  property: unknown,
  field: CompiledField,
  execution: Execution,
  source: unknown,
  path: ResponsePath,
): unknown => {
  if (typeof property !== 'function') return property
  const method = propertyOf(field, source) as (...given: unknown[]) => unknown
  const { variableValues, contextValue } = execution
  return method.call(source, field.args.read(variableValues), contextValue, infoOf(field, execution, path))
}

/** Resolves a field by its resolver, or without one by its property. */
const resolve = (
  field: CompiledField,
  execution: Execution,
  source: unknown,
  path: ResponsePath,
  info: GraphQLResolveInfo | undefined,
): unknown => {
  const { definition, args } = field
  const { variableValues, contextValue } = execution
  if (definition.resolve) return definition.resolve(source, args.read(variableValues), contextValue, info!)
  // Wrong arguments are reported before a property is read.
  if (args.canFail) args.read(variableValues)
  return valueAt(propertyOf(field, source), field, execution, source, path)
}

/** Completes a resolved value, or a promise of it. */
const complete = (
  field: CompiledField,
  execution: Execution,
  info: GraphQLResolveInfo | undefined,
  path: ResponsePath,
  given: unknown,
): unknown =>
  isPromise(given)
    ? given.then(resolved => field.complete(execution, info, path, resolved))
    : field.complete(execution, info, path, given)

/** Turns a later failure into null, or into the parent's error, as a synchronous one. */
const orNull = (
  completed: unknown,
  field: CompiledField,
  { errors }: Execution,
  path: ResponsePath,
): unknown =>
  isPromise(completed) ? completed.then(undefined, error => nullFor(error, field, path, errors)) : completed

const pathOf = ({ key, parentType }: CompiledField, prev: ResponsePath | undefined): ResponsePath => ({
  prev,
  key,
  typename: parentType.name,
})

/**
 * Completes the value of a leaf: it needs a path only where it comes later or fails.
 * @throws GraphQLError where an error is the parent's too.
 */
export const completeValue = (
  field: CompiledField,
  execution: Execution,
  prev: ResponsePath | undefined,
  value: unknown,
): unknown => {
  try {
    const completed = isPromise(value)
      ? value.then(resolved => field.complete(execution, undefined, undefined, resolved))
      : field.complete(execution, undefined, undefined, value)
    return isPromise(completed) ? orNull(completed, field, execution, pathOf(field, prev)) : completed
  } catch (error) {
    return failProperty(field, execution, prev, error)
  }
}

/** Completes a leaf that was read from a property. @throws GraphQLError where an error is the parent's too. */
export const completeProperty = (
  field: CompiledField,
  execution: Execution,
  source: unknown,
  prev: ResponsePath | undefined,
  property: unknown,
): unknown => {
  if (typeof property !== 'function') return completeValue(field, execution, prev, property)
  try {
    const path = pathOf(field, prev)
    const value = valueAt(property, field, execution, source, path)
    return orNull(complete(field, execution, undefined, path, value), field, execution, path)
  } catch (error) {
    return failProperty(field, execution, prev, error)
  }
}

/** Gives null for a property that cannot be read. @throws GraphQLError where the error is the parent's too. */
export const failProperty = (
  field: CompiledField,
  { errors }: Execution,
  prev: ResponsePath | undefined,
  error: unknown,
): null => nullFor(error, field, pathOf(field, prev), errors)

const executeLeaf = (
  field: CompiledField,
  execution: Execution,
  source: unknown,
  prev: ResponsePath | undefined,
): unknown => {
  let property: unknown
  try {
    property = propertyOf(field, source)
  } catch (error) {
    return failProperty(field, execution, prev, error)
  }
  return completeProperty(field, execution, source, prev, property)
}

/**
 * Executes a field: its part of the result, or a promise of it.
 * @throws GraphQLError where an error is the parent's too.
 */
export function executeField(
  field: CompiledField,
  execution: Execution,
  source: unknown,
  prev: ResponsePath | undefined,
): unknown {
  if (field.constant !== undefined) return field.constant
  if (field.leaf) return executeLeaf(field, execution, source, prev)
  const path = pathOf(field, prev)
  try {
    const info = field.needsInfo ? infoOf(field, execution, path) : undefined
    const given = resolve(field, execution, source, path, info)
    return orNull(complete(field, execution, info, path, given), field, execution, path)
  } catch (error) {
    return nullFor(error, field, path, execution.errors)
  }
}

/** Promises of values, with their response names. */
export class Pending {
  readonly #names: string[] = []
  readonly #promises: PromiseLike<unknown>[] = []

  add(name: string, promise: PromiseLike<unknown>): void {
    this.#names.push(name)
    this.#promises.push(promise)
  }

  /** Puts the values into the data. */
  fill(data: Data): Promise<Data> {
    return Promise.all(this.#promises).then(values => {
      for (const [index, name] of this.#names.entries()) data[name] = values[index]
      return data
    })
  }
}

/** Executes fields side by side, one by one. */
export const executeEach =
  ({ fields, createData }: Pick<Selection, 'fields' | 'createData'>): ExecuteFields =>
  (execution, source, path) => {
    const data = createData()
    let pending: Pending | undefined
    try {
      for (const field of fields) {
        const value = executeField(field, execution, source, path)
        if (value === undefined) continue
        data[field.key] = value
        if (isPromise(value)) {
          pending ??= new Pending()
          pending.add(field.key, value)
        }
      }
    } catch (error) {
      return failWith(error, data, pending)
    }
    return pending ? pending.fill(data) : data
  }

/** Fails with an error once the other fields are there: their promises may be rejected as well, and have no other handler. */
export const failWith = (error: unknown, data: Data, pending: Pending | undefined): Promise<Data> => {
  if (!pending) throw error
  return pending.fill(data).finally(() => {
    throw error
  })
}

const executeNext = (field: CompiledField, execution: Execution, data: Data): Data | PromiseLike<Data> => {
  const put = (value: unknown) => {
    data[field.key] = value
    return data
  }
  const value = executeField(field, execution, execution.rootValue, undefined)
  if (isPromise(value)) return value.then(put)
  return value === undefined ? data : put(value)
}

/** Executes fields one after the other, each when the one before is complete. */
export function executeSerially(
  { fields, createData }: Selection,
  execution: Execution,
): Data | PromiseLike<Data> {
  let done: Data | PromiseLike<Data> = createData()
  for (const field of fields) {
    const next = (data: Data) => executeNext(field, execution, data)
    done = isPromise(done) ? (done as PromiseLike<Data>).then(next) : next(done as Data)
  }
  return done
}

/** Makes the GraphQLResolveInfo of a field, only for resolvers that get one. */
const infoOf = (
  { definition, nodes, parentType }: SelectedField,
  { scope, rootValue, variableValues }: Execution,
  path: ResponsePath,
): GraphQLResolveInfo => ({
  fieldName: definition.name,
  fieldNodes: nodes,
  returnType: definition.type,
  parentType,
  path,
  schema: scope.schema,
  fragments: scope.fragments,
  rootValue,
  operation: scope.operation,
  variableValues,
})
