/** What an operation may cost: the fields it can come to resolve, pages counted by the size that they are asked for. */
import type { ApolloServerPlugin } from '@apollo/server'
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isListType,
} from 'graphql'
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity'
import { invalid, toGraphQL } from '../subgraphs/shared/errors.ts'
import { DEFAULT_SIZE } from '../subgraphs/shared/transactions/slice.ts'
import type { GatewayContext } from './context.ts'

/** A page of 200 transactions with all their fields and a short list on each costs half of it. */
const MAX_COST = 50_000
/** A list that is no connection: the lines of an account, the items of an amount. */
const LIST_SIZE = 10
const MAX_MEMO = 20

type Variables = Record<string, unknown> | undefined

/** A connection costs a page of what is selected in it, with the default size where none is given. */
const estimate: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  if (getNamedType(field.type).name.startsWith('__') || type.name.startsWith('__')) return 1
  const isPage = getNamedType(field.type).name.endsWith('Connection')
  const size = isPage ? (args['first'] ?? args['last'] ?? DEFAULT_SIZE) : 1
  // The rows of a page are counted by the page; other lists by a guess.
  const inPage = type.name.endsWith('Connection')
  return (
    1 + childComplexity * Math.max(size, isListType(getNullableType(field.type)) && !inPage ? LIST_SIZE : 1)
  )
}

/** What the execution will refuse in its own words: an operation that is not told, variables that do not fit. */
const isImpossible = (
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Variables,
): boolean => {
  const operation = getOperationAST(query, operationName)
  return (
    !operation ||
    Boolean(getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {}).errors)
  )
}

/** The counting gives up on fragments that unfold to too many fields: they cost more than anything. */
const costOf = (...operation: Parameters<typeof isImpossible>): number => {
  if (isImpossible(...operation)) return 0
  const [schema, query, operationName, variables] = operation
  try {
    return getComplexity({ schema, query, operationName, variables, estimators: [estimate] })
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Only sizes of pages change an operation's cost, and they are whole numbers among its variables. */
const sizesIn = (operationName: string | undefined, variables: Variables): string =>
  JSON.stringify([
    operationName,
    Object.entries(variables ?? {}).filter(([, value]) => Number.isInteger(value)),
  ])

/** Remembers what a document costs, which the server keeps parsed: most portals send the same few. */
const createMemo = () => {
  const costs = new WeakMap<DocumentNode, Map<string, number>>()
  return (document: DocumentNode, key: string, compute: () => number): number => {
    const known = costs.get(document) ?? new Map<string, number>()
    costs.set(document, known)
    const cost = known.get(key) ?? compute()
    if (known.size < MAX_MEMO) known.set(key, cost)
    return cost
  }
}

/** Refuses operations that could come to more than `MAX_COST` fields, before anything is fetched. */
export const limitCost = (): ApolloServerPlugin<GatewayContext> => {
  const memo = createMemo()
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, request: { operationName, variables } }) {
          const key = sizesIn(operationName, variables)
          const cost = memo(document, key, () => costOf(schema, document, operationName, variables))
          if (cost <= MAX_COST) return
          throw toGraphQL(
            invalid(`The operation can come to more than ${MAX_COST} fields: ask for smaller pages`),
          )
        },
      }
    },
  }
}
