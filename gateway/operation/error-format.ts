/** Errors of the gateway itself in the catalogue's codes, and the HTTP status of responses with errors. */
import type { ApolloServerPlugin } from '@apollo/server'
import { unwrapResolverError } from '@apollo/server/errors'
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import type { Platform } from '#core/context/app.ts'
import { asServiceError, isCatalogued, REASON_OF, ServiceError, statusIn } from '#core/errors/catalogue.ts'
import { operationFault, publicExtensions } from '#core/graph/error-format.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import type { Logger } from '#core/observability/log.ts'
import { currentFacts } from '#core/observability/request-facts.ts'
import { contentTypeOf, type GatewayContext, takesOnly200 } from './context.ts'

/** Apollo's own codes for a request that cannot be executed. */
const REQUEST_FAULTS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'INVALID_GRAPHQL',
])

/** Codes of the persisted-query protocol, which clients know. */
const PROTOCOL_CODES = new Set(['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED'])

type Failure = Pick<ServiceError, 'message' | 'code' | 'status' | 'extensions'>

/** Beginning of the suggestions at the end of graphql-js's messages. */
const SUGGESTION = ' Did you mean '

const beforeSuggestion = (text: string): string => text.split(SUGGESTION, 1)[0]!

/**
 * Removes the suggestions from an error's message and sentence: where clients may not read the schema, they must not find its
 * names one by one.
 */
const withoutSuggestion = ({ extensions, ...error }: GraphQLFormattedError): GraphQLFormattedError => {
  const sentence = extensions?.['sentence']
  return {
    ...error,
    message: beforeSuggestion(error.message),
    ...(extensions && {
      extensions: {
        ...extensions,
        ...(typeof sentence === 'string' && { sentence: beforeSuggestion(sentence) }),
      },
    }),
  }
}

const toFormatted = (error: GraphQLFormattedError, { message, code, status, extensions }: Failure) => ({
  message,
  ...(error.locations && { locations: error.locations }),
  ...(error.path && { path: error.path }),
  extensions: { ...publicExtensions(extensions), code, http: { status } },
})

/** Whether Apollo Server refused a request without a code of its own: the status is that of a client's fault. */
const isRefusal = (error: unknown): boolean => {
  if (!(error instanceof GraphQLError) || error.originalError) return false
  const { status = 500 } = (error.extensions['http'] ?? {}) as { status?: number }
  return status >= 400 && status < 500
}

const toCatalogued =
  (log: Logger, hidden: GraphQLSchema | undefined) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const code = String(formatted.extensions?.['code'])
    if (isCatalogued(code)) {
      const extensions = { reason: REASON_OF[code], ...formatted.extensions }
      return toFormatted(formatted, { ...formatted, code, status: statusIn(code, extensions), extensions })
    }
    if (PROTOCOL_CODES.has(code)) return formatted
    if (REQUEST_FAULTS.has(code) || isRefusal(error))
      return toFormatted(formatted, operationFault(formatted.message, hidden))
    const masked = asServiceError(unwrapResolverError(error))
    log.error({ err: (error as GraphQLError).originalError ?? error }, 'unexpected failure')
    return toFormatted(formatted, masked)
  }

/** Settings of the error format, and the log for unexpected failures. */
export type FormatDependencies = Pick<Platform, 'log' | 'config'>

/**
 * Makes the formatter that gives every error a code of the catalogue; an unexpected failure is logged and masked.
 * @param schemaOf gives the schema that clients see; errors name none of its types where clients may not read it.
 */
export const formatError =
  ({ log, config }: FormatDependencies, schemaOf: () => GraphQLSchema) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const catalogued = toCatalogued(log, config.introspection ? undefined : schemaOf())(formatted, error)
    currentFacts()?.failInGraph(catalogued)
    return config.introspection ? catalogued : withoutSuggestion(catalogued)
  }

/** Gives errors their places: the path of the field, and its location in the client's operation. */
export const placeErrors: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ document, errors }) {
        if (document) errors.forEach(createErrorPlacer(document))
      },
    }
  },
}

/** Status of the first error; undefined without one, where Apollo Server responds with 500 if nothing was executed. */
const statusOf = (errors: readonly GraphQLFormattedError[] | undefined): number | undefined =>
  (errors?.[0]?.extensions?.['http'] as { status?: number } | undefined)?.status

/** Records the name and the type of the operation, and that Apollo executes it unless the engine does. */
export const recordOperation: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ contextValue: { facts }, operation, operationName }) {
        if (!facts) return
        facts.operation = operationName ?? undefined
        facts.operationType = operation?.operation
        if (operation?.operation !== 'subscription') facts.execution ??= 'APOLLO'
      },
    }
  },
}

/**
 * Sets the status of a response: 200 for an operation that was executed, otherwise that of its error, or 200 for clients
 * that take no other.
 */
export const executedIsOk: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart({ contextValue }) {
    return {
      async willSendResponse({ request, source, response: { body, http } }) {
        // With parts to follow, the time of the operation goes on.
        if (!contextValue.delivery?.parts) contextValue.done()
        if (body.kind !== 'single') return
        const { singleResult } = body
        const accept = request.http?.headers.get('accept')
        http.headers.set('content-type', contentTypeOf(accept))
        if ('data' in singleResult) http.status = undefined
        else if (http.status === 500) http.status = statusOf(singleResult.errors) ?? 500
        if (http.status === 400 && source !== undefined && takesOnly200(accept)) http.status = 200
      },
    }
  },
}

const TRANSIENT_CODES = new Set<unknown>(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'])

/** Whether a retry may succeed: then a subscription says where to resume, instead of being refused. */
export const isTransientError = (error: unknown): boolean =>
  (error instanceof ServiceError && TRANSIENT_CODES.has(error.code)) ||
  (error instanceof GraphQLError && TRANSIENT_CODES.has(error.extensions['code']))
