/**
 * Selections of one type. Their fields are executed by a function that is written for them: leaves that are read from properties,
 * or made of a row, as most are, are read and tested in place, and everything else of a field is done as ever.
 */
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from 'graphql'
import { isPromise } from '#core/graph/executor.ts'
import {
  completeProperty,
  completeValue,
  executeEach,
  executeField,
  failProperty,
  failWith,
  hasProperties,
  Pending,
} from './fields.ts'
import { generate } from './generate.ts'
import { createDataClass } from './result.ts'
import type { CompiledField, ExecuteFields, Selection } from './types.ts'

/** Tests of values that GraphQL's own scalars serialize as they are. */
const AS_IT_IS = new Map<GraphQLLeafType, string>([
  [GraphQLString, "typeof value === 'string'"],
  [GraphQLID, "typeof value === 'string'"],
  [GraphQLBoolean, "typeof value === 'boolean'"],
  [GraphQLFloat, 'Number.isFinite(value)'],
  [GraphQLInt, "typeof value === 'number' && (value | 0) === value"],
])

/** Writes the statements that put one field among the data. */
const statementsOf = ({ key, constant, leaf, rowLeaf, definition }: CompiledField, index: number): string => {
  if (constant !== undefined) return `data.${key} = ${JSON.stringify(constant)}`
  const put = `data.${key} = value
    if (isPromise(value)) (pending ??= new Pending()).add('${key}', value)`
  if (rowLeaf)
    return `try { value = resolve${index}(source, NO_ARGUMENTS, execution.contextValue) }
    catch (error) { value = failProperty(field${index}, execution, path, error) }
    if (${AS_IT_IS.get(rowLeaf) ?? 'false'}) data.${key} = value
    else {
      value = completeValue(field${index}, execution, path, value)
      ${put}
    }`
  if (!leaf)
    return `value = executeField(field${index}, execution, source, path)
    if (value !== undefined) { ${put} }`
  return `try { value = from.${definition.name} }
    catch (error) { value = failProperty(field${index}, execution, path, error) }
    if (${AS_IT_IS.get(leaf) ?? 'false'}) data.${key} = value
    else {
      value = completeProperty(field${index}, execution, source, path, value)
      ${put}
    }`
}

const write = (fields: readonly CompiledField[]): string => `(execution, source, path) => {
  const from = hasProperties(source) ? source : NOTHING
  const data = createData()
  let pending
  try {
    let value
    ${fields.map(statementsOf).join('\n')}
  } catch (error) {
    return failWith(error, data, pending)
  }
  return pending ? pending.fill(data) : data
}`

const NOTHING = Object.freeze(Object.create(null))
/** Arguments of resolvers that take none. */
const NO_ARGUMENTS = Object.freeze({})

const USED = {
  NOTHING,
  NO_ARGUMENTS,
  Pending,
  completeProperty,
  completeValue,
  executeField,
  failProperty,
  failWith,
  hasProperties,
  isPromise,
}

/** Compiles the fields of a selection; their function is written when it is first called. */
export const compileSelection = (fields: readonly CompiledField[]): Selection => {
  const createData = createDataClass()
  const names = fields.flatMap(({ key, definition }) => [key, definition.name])
  const ownFields = Object.fromEntries(fields.map((field, index) => [`field${index}`, field]))
  const resolvers = Object.fromEntries(
    fields.map(({ definition }, index) => [`resolve${index}`, definition.resolve]),
  )
  let made: ExecuteFields | undefined
  const make = () =>
    generate<ExecuteFields>(write(fields), names, { ...USED, createData, ...ownFields, ...resolvers }) ??
    executeEach({ fields, createData })
  return {
    fields,
    createData,
    execute(execution, source, path) {
      made ??= make()
      return made(execution, source, path)
    },
  }
}
