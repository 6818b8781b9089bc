/**
 * Query parameters of exports under the names of the graph: of the timeline the fields of `TimelineFilter` and `orderBy`, of
 * a summary the arguments of `Query.summary`, and `measures`.
 */
import {
  coerceInputValue,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  getNullableType,
  isInputType,
  isListType,
} from 'graphql'
import { typeDefsOf } from '#core/contract/sdl.ts'
import { buildSubgraphSchema } from '#core/contract/subgraph-schema.ts'
import { invalid, invalidField } from '#core/errors/catalogue.ts'
import { detailsOfValue } from '#core/graph/error-format.ts'
import { createScalars, type Locale } from '#core/graph/scalars.ts'
import { type Query, requireUtf8 } from '#core/values/text.ts'
import type { Kinds } from '../kinds.ts'
import { MEASURES, type Measure, type SummaryArgs } from '../summary/query.ts'
import type { TimelineArgs } from '../timeline/filter.ts'

/**
 * Reads the parameters. An unknown one is refused: without it the export would hold what the client filtered out.
 * @throws ServiceError INVALID_ARGUMENT naming the parameter.
 */
type ReadParameters<Args> = (parameters: Query) => Args

const ORDER = 'orderBy'

/** Parameters as the graph's own types read the texts. */
type Coerced = NonNullable<TimelineArgs['filter']> & Pick<TimelineArgs, 'orderBy'>

/** Names of all parameters. */
export const PARAMETERS: readonly string[] = [
  'kinds',
  'outcomes',
  'from',
  'to',
  'minAmount',
  'maxAmount',
  'postedBy',
  'merchant',
  'merchants',
  'channels',
  'reasons',
  'customers',
  'correlator',
  'text',
  ORDER,
]

type ParameterTypes = ReadonlyMap<string, GraphQLInputType>

/** Types of the timeline's parameters in the graph. @throws Error where the graph's filter has other fields. */
const timelineTypes = (schema: GraphQLSchema): ParameterTypes => {
  const filter = schema.getType('TimelineFilter')
  const order = schema.getType('TransactionOrder')
  if (!(filter instanceof GraphQLInputObjectType) || !isInputType(order))
    throw new Error('TimelineFilter and TransactionOrder must be inputs of the graph')
  const types = new Map<string, GraphQLInputType>([[ORDER, order]])
  for (const { name, type } of Object.values(filter.getFields())) types.set(name, type)
  if ([...types.keys()].sort().join() !== PARAMETERS.toSorted().join())
    throw new Error('The parameters of an export must be the fields of TimelineFilter')
  return types
}

/** Value of a parameter; a list is written by repeating the parameter, or with commas. */
const givenValue = (name: string, given: string | readonly string[], isList: boolean): unknown => {
  const texts = [given].flat()
  if (isList) return texts.flatMap(text => text.split(',')).filter(text => text !== '')
  if (texts.length > 1) throw invalidField(name, 'TOO_MANY', 'must be given once')
  return texts[0]
}

/** A whole number that stands in a text; anything else is left to the type to refuse. */
const toNumber = (value: unknown, type: GraphQLInputType): unknown =>
  getNullableType(type) === GraphQLInt && typeof value === 'string' && /^-?\d+$/.test(value)
    ? Number(value)
    : value

/** Reads a value like the graph: the same scalars and enumerations, the same refusals. */
const readValue = (name: string, given: string | readonly string[], type: GraphQLInputType): unknown =>
  coerceInputValue(
    toNumber(givenValue(name, given, isListType(type)), type),
    type,
    (_path, _value, error) => {
      throw invalid(`${name}: ${error.message}`, { field: name, ...detailsOfValue(error.message) })
    },
  )

const noParameter = (name: string, known: readonly string[]) =>
  invalidField(name, 'UNKNOWN_PARAMETER', `is no parameter of an export, but ${known.join(', ')}`)

/** Reads all parameters of a request by their types. */
const readAll = (
  types: ParameterTypes,
  known: readonly string[],
  parameters: Query,
): Record<string, unknown> => {
  requireUtf8(parameters)
  const read = (name: string, given: string | readonly string[]) => {
    const type = types.get(name)
    if (!type) throw noParameter(name.slice(0, 64), known)
    return [name, readValue(name, given, type)] as const
  }
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [read(name, value as string | readonly string[])],
  )
  return Object.fromEntries(given)
}

const schemaOf = (kinds: Kinds, locale: Locale): GraphQLSchema =>
  buildSubgraphSchema({ typeDefs: typeDefsOf('activity', kinds), resolvers: createScalars(locale) })

/** Makes the function that reads the parameters of the timeline. @throws Error where the graph's filter has other fields. */
export const createReadParameters = (kinds: Kinds, locale: Locale): ReadParameters<TimelineArgs> => {
  const types = timelineTypes(schemaOf(kinds, locale))
  return parameters => {
    const { orderBy, ...filter } = readAll(types, PARAMETERS, parameters) as Coerced
    return { filter, orderBy }
  }
}

/** Arguments of a summary with the measures that its file has beside the sums. */
export interface SummaryParameters {
  readonly args: SummaryArgs
  readonly measures: readonly Measure[]
}

const DIRECTION = 'direction'
const MEASURES_NAME = 'measures'

/** Types of the arguments of `Query.summary`; the order is its field and, in a parameter of its own, the direction. */
const summaryTypes = (schema: GraphQLSchema): ParameterTypes => {
  const types = new Map<string, GraphQLInputType>(
    schema
      .getQueryType()!
      .getFields()
      ['summary']!.args.map(({ name, type }) => [name, type]),
  )
  const measure = new GraphQLEnumType({
    name: 'SummaryMeasure',
    values: Object.fromEntries(MEASURES.map(name => [name, {}])),
  })
  types.set(ORDER, schema.getType('SummaryOrderField') as GraphQLInputType)
  types.set(DIRECTION, schema.getType('OrderDirection') as GraphQLInputType)
  types.set(MEASURES_NAME, new GraphQLList(new GraphQLNonNull(measure)))
  return types
}

/** Makes the function that reads the parameters of a summary. */
export const createReadSummaryParameters = (
  kinds: Kinds,
  locale: Locale,
): ReadParameters<SummaryParameters> => {
  const types = summaryTypes(schemaOf(kinds, locale))
  const known = [...types.keys()]
  return parameters => {
    const { measures, orderBy, direction, ...given } = readAll(types, known, parameters)
    if (direction !== undefined && orderBy === undefined)
      throw invalidField(DIRECTION, 'CONTRADICTION', `is the direction of ${ORDER}, which is not there`)
    const order = orderBy === undefined ? {} : { orderBy: { field: orderBy, direction } }
    return {
      args: { by: 'MONTH', ...given, ...order } as SummaryArgs,
      measures: (measures ?? []) as Measure[],
    }
  }
}
