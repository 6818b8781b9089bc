/** Apollo Server over one supergraph, with this program's limits, costs, errors and caches. */
import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { type DocumentNode, GraphQLError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { invalid, toGraphQL } from '#core/errors/catalogue.ts'
import { MAX_DOCUMENT_BYTES, sizeOfDocument } from '#core/graph/operation-limits.ts'
import { labelDefers } from '../deferral/directive.ts'
import type { GatewayContext } from '../operation/context.ts'
import { executedIsOk, formatError, placeErrors, recordOperation } from '../operation/error-format.ts'
import { createExplain, createExtensions, explainResponses } from '../operation/explain.ts'
import {
  countRefused,
  limitCost,
  limits,
  limitValueDepth,
  parseOptions,
  requireKnownOperation,
  type SpendCost,
} from './cost.ts'
import { type ApolloGatewayOptions, createGateway } from './gateway.ts'

export interface ApolloOptions extends ApolloGatewayOptions {
  readonly spendCost: SpendCost
  readonly persistedQueries: PersistedQueries
}

/** Makes Apollo Server, which is still to be started, and its gateway. */
export function createApollo(options: ApolloOptions) {
  const { app, spendCost, persistedQueries } = options
  const { introspection } = app.config
  const { plugins, validationRules: limitRules } = limits()
  const validationRules = [...limitRules, limitValueDepth, labelDefers]
  const gateway = createGateway(options)
  const extensionsOf = createExtensions(
    app.config,
    createExplain(() => gateway.parts),
  )
  const apollo = new ApolloServer<GatewayContext>({
    gateway,
    nodeEnv: 'production',
    introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: persistedQueries },
    validationRules,
    plugins: [
      ...plugins,
      recordOperation,
      requireKnownOperation,
      limitCost(spendCost),
      countRefused(app.usage),
      ApolloServerPluginLandingPageDisabled(),
      captureSubscriptions,
      placeErrors,
      explainResponses(extensionsOf),
      executedIsOk,
    ],
    formatError: formatError(app, () => gateway.parts.schema),
    logger: app.log,
  })
  return { apollo, gateway, validationRules, extensionsOf }
}

/** Size of all persisted queries, in bytes. */
export const MAX_PERSISTED_BYTES = 16 * 1024 * 1024

/** Cache as Apollo Server takes it, bounded in bytes: its own would count neither the text of a document nor its nodes. */
interface OwnCache<Value> {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value): Promise<void>
  delete(key: string): Promise<boolean>
  has(key: string): boolean
  /** Size of its entries. */
  readonly bytes: number
}

const createCache = <Value extends object | string>(
  maxSize: number,
  sizeCalculation: (value: Value) => number,
): OwnCache<Value> => {
  const entries = new LRUCache<string, Value>({ maxSize, sizeCalculation })
  return {
    get: async key => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    delete: async key => entries.delete(key),
    has: key => entries.has(key),
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** Makes the cache of validated documents. Apollo Server parses with locations, by which each document has its text. */
export const createDocumentStore = (): OwnCache<DocumentNode> =>
  createCache<DocumentNode>(MAX_DOCUMENT_BYTES, document =>
    sizeOfDocument(document, document.loc?.source.body ?? ''),
  )

/** Texts of operations by their hash. */
export type PersistedQueries = OwnCache<string>

export const createPersistedQueries = (): PersistedQueries =>
  createCache<string>(MAX_PERSISTED_BYTES, text => 256 + 2 * text.length)

const refuse = (message: string) => {
  const error = toGraphQL(invalid(message, { reason: 'INVALID_OPERATION' }))
  return respondWith({ errors: [error.toJSON()] }, 400)
}

const respondWith = (singleResult: object, status?: number) => ({
  http: { status, headers: new HeaderMap() },
  body: { kind: 'single' as const, singleResult },
})

const NEEDS_STREAM = 'A subscription needs a WebSocket (graphql-transport-ws) or Accept: text/event-stream'

/**
 * Captures subscriptions: they pass Apollo Server like queries, as far as parsing, limits and validation, and are handed to
 * their request instead of being executed.
 */
const captureSubscriptions: ApolloServerPlugin<GatewayContext> = {
  /** Records the failure of a rule of GraphQL.js, which throws on `@skip(if: $variable)` at a subscription's root. */
  async unexpectedErrorProcessingRequest({ requestContext, error }) {
    const { captured } = requestContext.contextValue
    if (captured && error instanceof GraphQLError && !error.originalError) captured.fault = error.message
  },
  async requestDidStart({ contextValue: { captured } }) {
    return {
      async responseForOperation({ operation, document }) {
        // Undefined, against its type, when the request does not name one of several operations.
        if (!operation) return null
        if (operation.operation === 'mutation' && captured?.readOnly) return refuse('A mutation needs POST')
        if (operation.operation !== 'subscription') return null
        if (!captured) return refuse(NEEDS_STREAM)
        Object.assign(captured, { document, operation })
        return respondWith({ data: null })
      },
    }
  },
}
