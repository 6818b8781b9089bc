/** Executes the fields of an object: resolver, arguments and order of calls as graphql-js has them. */
import type { GraphQLResolveInfo, ResponsePath } from 'graphql'
import { createData, type Data } from './data.ts'
import { nullFor } from './errors.ts'
import { infoOf } from './info.ts'
import { isPromise } from './promises.ts'
import type { CompiledField, Execution } from './types.ts'

const hasProperties = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** The property of the field's name, or what it gives where it is a function. */
const readProperty = (
  field: CompiledField,
  execution: Execution,
  source: unknown,
  path: ResponsePath,
  info: GraphQLResolveInfo | undefined,
): unknown => {
  const { args, definition } = field
  const { variableValues, contextValue } = execution
  const values = args.canFail ? args.read(variableValues) : undefined
  if (!hasProperties(source)) return undefined
  const property = source[definition.name]
  if (typeof property !== 'function') return property
  const method = source[definition.name]
  return (method as (...given: unknown[]) => unknown).call(
    source,
    values ?? args.read(variableValues),
    contextValue,
    info ?? infoOf(field, execution, path),
  )
}

const complete = (
  field: CompiledField,
  execution: Execution,
  source: unknown,
  path: ResponsePath,
): unknown => {
  const { resolve } = field.definition
  const info = resolve || field.needsInfo ? infoOf(field, execution, path) : undefined
  const result = resolve
    ? resolve(source, field.args.read(execution.variableValues), execution.contextValue, info!)
    : readProperty(field, execution, source, path, info)
  return isPromise(result)
    ? result.then(resolved => field.complete(execution, info, path, resolved))
    : field.complete(execution, info, path, result)
}

/** The field's part of the result, or a promise of it; throws GraphQLError where an error is the parent's too. */
export function executeField(
  field: CompiledField,
  execution: Execution,
  source: unknown,
  prev: ResponsePath | undefined,
): unknown {
  if (field.constant !== undefined) return field.constant
  const path: ResponsePath = { prev, key: field.key, typename: field.parentType.name }
  try {
    const completed = complete(field, execution, source, path)
    if (!isPromise(completed)) return completed
    return completed.then(undefined, error => nullFor(error, field, path, execution.errors))
  } catch (error) {
    return nullFor(error, field, path, execution.errors)
  }
}

/** The names of what comes later, and promises of it. */
class Pending {
  readonly #names: string[] = []
  readonly #promises: PromiseLike<unknown>[] = []

  add(name: string, promise: PromiseLike<unknown>): void {
    this.#names.push(name)
    this.#promises.push(promise)
  }

  /** Puts all of it into the places that it has in the data. */
  fill(data: Data): Promise<Data> {
    return Promise.all(this.#promises).then(values => {
      for (const [index, name] of this.#names.entries()) data[name] = values[index]
      return data
    })
  }
}

/** Executes fields side by side. */
export function executeFields(
  fields: readonly CompiledField[],
  execution: Execution,
  source: unknown,
  path: ResponsePath | undefined,
): Data | Promise<Data> {
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
    if (!pending) throw error
    // What the other fields promised may fail as well, and nobody else waits for it.
    return pending.fill(data).finally(() => {
      throw error
    })
  }
  return pending ? pending.fill(data) : data
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
  fields: readonly CompiledField[],
  execution: Execution,
): Data | PromiseLike<Data> {
  let done: Data | PromiseLike<Data> = createData()
  for (const field of fields) {
    const next = (data: Data) => executeNext(field, execution, data)
    done = isPromise(done) ? (done as PromiseLike<Data>).then(next) : next(done as Data)
  }
  return done
}
