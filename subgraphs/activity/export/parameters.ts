/** Query parameters of an export: the fields of the graph's `TimelineFilter` under their names, and `orderBy`. */
import {
  coerceInputValue,
  GraphQLInputObjectType,
  type GraphQLInputType,
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
import type { TimelineArgs } from '../timeline/entry.ts'

/**
 * Reads the parameters. An unknown one is refused: without it the export would hold entries that the client filtered out.
 * @throws ServiceError INVALID_ARGUMENT naming the parameter.
 */
type ReadParameters = (parameters: Query) => TimelineArgs

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

/** Types of the parameters in the graph. @throws Error where the graph's filter has other fields. */
const typesOf = (kinds: Kinds, locale: Locale): ReadonlyMap<string, GraphQLInputType> => {
  const schema = buildSubgraphSchema({
    typeDefs: typeDefsOf('activity', kinds),
    resolvers: createScalars(locale),
  })
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

/** Reads a value like the graph: the same scalars and enumerations, the same refusals. */
const readValue = (name: string, given: string | readonly string[], type: GraphQLInputType): unknown =>
  coerceInputValue(givenValue(name, given, isListType(type)), type, (_path, _value, error) => {
    throw invalid(`${name}: ${error.message}`, { field: name, ...detailsOfValue(error.message) })
  })

const noParameter = (name: string) =>
  invalidField(name, 'UNKNOWN_PARAMETER', `is no parameter of an export, but ${PARAMETERS.join(', ')}`)

/** Makes the function that reads the parameters. @throws Error where the graph's filter has other fields. */
export const createReadParameters = (kinds: Kinds, locale: Locale): ReadParameters => {
  const types = typesOf(kinds, locale)
  const read = (name: string, given: string | readonly string[]) => {
    const type = types.get(name)
    if (!type) throw noParameter(name.slice(0, 64))
    return [name, readValue(name, given, type)] as const
  }
  return parameters => {
    requireUtf8(parameters)
    const given = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [read(name, value as string | readonly string[])],
    )
    const { orderBy, ...filter } = Object.fromEntries(given) as Coerced
    return { filter, orderBy }
  }
}
