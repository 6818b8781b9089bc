/** Errors of the gateway itself in the catalogue's codes, and the HTTP status of answers that carry errors. */
import type { ApolloServerPlugin } from '@apollo/server'
import { unwrapResolverError } from '@apollo/server/errors'
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import type { App } from '#core/context/app.ts'
import {
  asServiceError,
  isCatalogued,
  REASON_OF,
  type ServiceError,
  STATUS_OF,
} from '#core/errors/catalogue.ts'
import { operationFault, publicExtensions } from '#core/graph/error-format.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import type { Logger } from '#core/observability/log.ts'
import type { GatewayContext } from './context.ts'
import { believesOnly200, contentTypeOf } from './response-type.ts'

/** Apollo's own codes for a request that cannot be executed. */
const REQUEST_FAULTS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'INVALID_GRAPHQL',
])

/** Part of the persisted-query protocol, which clients speak by these codes. */
const PROTOCOL_CODES = new Set(['PERSISTED_QUERY_NOT_FOUND', 'PERSISTED_QUERY_NOT_SUPPORTED'])

type Failure = Pick<ServiceError, 'message' | 'code' | 'status' | 'extensions'>

/** What graphql-js says may have been meant by a name ends its messages. */
const SUGGESTION = ' Did you mean '

/** The message without it: where clients may not read the schema, they are not told its names one by one. */
const withoutSuggestion = <Told extends GraphQLFormattedError>(error: Told): Told => ({
  ...error,
  message: error.message.split(SUGGESTION, 1)[0]!,
})

const inWords = (error: GraphQLFormattedError, { message, code, status, extensions }: Failure) => ({
  message,
  ...(error.locations && { locations: error.locations }),
  ...(error.path && { path: error.path }),
  extensions: { ...publicExtensions(extensions), code, http: { status } },
})

/** Apollo Server's refusals without a code of their own say by the status that the request is at fault. */
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
      return inWords(formatted, { ...formatted, code, status: STATUS_OF[code], extensions })
    }
    if (PROTOCOL_CODES.has(code)) return formatted
    if (REQUEST_FAULTS.has(code) || isRefusal(error))
      return inWords(formatted, operationFault(formatted.message, hidden))
    const masked = asServiceError(unwrapResolverError(error))
    log.error({ err: (error as GraphQLError).originalError ?? error }, 'unexpected failure')
    return inWords(formatted, masked)
  }

/** What of the process says how errors are told. */
export type FormatParts = Pick<App, 'log' | 'config'>

/**
 * Every error with a code of the catalogue; what is not foreseen is logged and masked.
 * @param schemaOf the schema that clients see, none of whose types is named where it is not theirs to read.
 */
export const formatError =
  ({ log, config }: FormatParts, schemaOf: () => GraphQLSchema) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError =>
    config.introspection
      ? toCatalogued(log, undefined)(formatted, error)
      : withoutSuggestion(toCatalogued(log, schemaOf())(formatted, error))

/** Errors say where they belong: the path of the field, and where it stands in the client's operation. */
export const placeErrors: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ document, errors }) {
        if (document) errors.forEach(createErrorPlacer(document))
      },
    }
  },
}

/** Apollo Server's status where nothing was executed is 500 unless an error of its own says otherwise. */
const statusOf = (errors: readonly GraphQLFormattedError[] | undefined): number | undefined =>
  (errors?.[0]?.extensions?.['http'] as { status?: number } | undefined)?.status

/**
 * An operation that was executed is answered with 200, whatever became of its fields; another with its error's status, or
 * with 200 where the client wants it so.
 */
export const executedIsOk: ApolloServerPlugin<GatewayContext> = {
  async requestDidStart({ contextValue }) {
    return {
      async willSendResponse({ request, source, response: { body, http } }) {
        contextValue.done()
        if (body.kind !== 'single') return
        const { singleResult } = body
        const accept = request.http?.headers.get('accept')
        http.headers.set('content-type', contentTypeOf(accept))
        if ('data' in singleResult) http.status = undefined
        else if (http.status === 500) http.status = statusOf(singleResult.errors) ?? 500
        if (http.status === 400 && source !== undefined && believesOnly200(accept)) http.status = 200
      },
    }
  },
}
