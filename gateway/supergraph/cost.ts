/**
 * Limits of a client's operation, checked before it is planned: its form, its cost, and the cost of all operations of
 * its client in the last minute.
 */

import { type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import {
  type ASTNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql'
import type { ClientUsage } from '#core/access/client-usage.ts'
import type { Principal } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { asServiceError, invalidField, toGraphQL } from '#core/errors/catalogue.ts'
import { type DeclaredCosts, readDeclaredCosts } from '#core/graph/cost-directives.ts'
import { type CostlyOperation, createCostLimit } from '#core/graph/operation-limits.ts'
import { currentFacts } from '#core/observability/request-facts.ts'
import { createUseOf } from '#core/schema-use/coordinates.ts'
import type { GatewayContext } from '../operation/context.ts'
import { protectionOf } from '../third-party/graphql-armor.ts'

/**
 * Counts an operation in its client's quota.
 * @throws ServiceError INVALID_ARGUMENT for one that could come to more than `MAX_OPERATION_COST` fields, SERVICE_UNAVAILABLE for
 *   a client that has used up its quota of a minute: nothing is counted then.
 */
export type SpendCost = (principal: Principal, operation: CostlyOperation) => void

/**
 * Makes the function that counts the operations of one supergraph, and records what those that are let in use of it.
 * @param supergraph gives the schema with its directives, once it has loaded.
 */
export const createSpendCost = (
  { usage, schemaUse, config }: Pick<App, 'usage' | 'schemaUse' | 'config'>,
  supergraph: () => GraphQLSchema,
): SpendCost => {
  let costs: DeclaredCosts | undefined
  const costOfField: DeclaredCosts = (type, field) => {
    costs ??= readDeclaredCosts(supergraph())
    return costs(type, field)
  }
  const check = createCostLimit(config.maxOperationCost, costOfField)
  const useOf = createUseOf()
  return (principal, operation) => {
    const cost = check(operation)
    const facts = currentFacts()
    if (facts) facts.cost = cost
    usage.spendCost(principal, cost)
    const use = useOf(operation)
    if (!use) return
    schemaUse.record(principal.clientId, use)
    if (facts) facts.deprecations = use.deprecations
  }
}

/** Turns a refusal into an error with headers (`retry-after`) where Apollo Server looks for them. */
export const toRefusal = (error: unknown): GraphQLError => {
  const { status, headers, code, message, extensions } = asServiceError(error)
  const http = { status, headers: new HeaderMap(Object.entries(headers)) }
  return new GraphQLError(message, { extensions: { ...extensions, code, http } })
}

/** Whether an operation was refused for its own faults: nothing of it was executed. */
const isRefused = ({
  errors,
  data,
}: {
  errors?: readonly GraphQLFormattedError[]
  data?: unknown
}): boolean =>
  data === undefined && (errors?.[0]?.extensions?.['http'] as { status?: number })?.status === 400

/** Counts refused operations of every transport in their client's quota, since finding their faults is work too. */
export const countRefused = (usage: ClientUsage): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart({ contextValue: { caller } }) {
    return {
      async willSendResponse({ source = '', response: { body } }) {
        if (body.kind === 'single' && isRefused(body.singleResult))
          usage.spendRefused(caller.principal, source)
      },
    }
  },
})

/**
 * Counts each operation of every transport once: a subscription when it begins, and an operation of the fast path
 * before that executes it.
 */
export const limitCost = (spendCost: SpendCost): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart({ contextValue: { caller, executed } }) {
    if (executed) return
    return {
      async didResolveOperation({ schema, document, request: { operationName, variables } }) {
        try {
          spendCost(caller.principal, { schema, document, operationName, variables })
        } catch (error) {
          throw toRefusal(error)
        }
      },
    }
  },
})

/** Limits of GraphQL Armor; cost is left to the counting above, which knows the sizes of pages. */
const LIMITS = {
  maxDepth: { n: 15 },
  maxAliases: { n: 30 },
  maxDirectives: { n: 50 },
  maxTokens: { enabled: false },
  costLimit: { enabled: false },
  // It would leave suggestions of enum values and types: `operation/error-format.ts` removes all of them.
  blockFieldSuggestion: { enabled: false },
} as const

/** Limit of tokens in the parser: GraphQL Armor's would parse every operation twice, and refuses with status 500. */
export const parseOptions = { maxTokens: 2_000 }

/** Plugins and validation rules of GraphQL Armor. */
export const limits = () => protectionOf(LIMITS)

/** Levels of a value; inputs of the graph have at most five, a custom scalar would take any number. */
const MAX_LEVELS = 10

/** Refuses lists and objects that are nested deeper: the time to plan a literal doubles with each level of lists. */
export const limitValueDepth: ValidationRule = context => {
  let levels = 0
  const enter = (node: ASTNode) => {
    levels += 1
    if (levels !== MAX_LEVELS + 1) return
    const message = `A value must not be nested deeper than ${MAX_LEVELS} levels`
    context.reportError(new GraphQLError(message, { nodes: node }))
  }
  const leave = () => {
    levels -= 1
  }
  return { ListValue: { enter, leave }, ObjectValue: { enter, leave } }
}

/**
 * Operation check: refuses a request whose `operationName` names no operation, or is absent where there are several. Apollo
 * Server would respond with 500 to an empty name.
 */
export const requireKnownOperation: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ operation }) {
        if (!operation)
          throw toGraphQL(invalidField('operationName', 'UNKNOWN_VALUE', 'must name one of the operations'))
      },
    }
  },
}
