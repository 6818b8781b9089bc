/** Format of the later parts of a response with `@defer`. Apollo Server formats the first part alone. */
import { type DocumentNode, GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import { streamOf } from '#core/async/stream.ts'
import { createErrorPlacer } from '#core/graph/error-places.ts'
import type { DeferredResult, ExecutedParts, FormattedParts, LaterPart } from '../deferral/parts.ts'
import { type FormatDependencies, formatError } from './error-format.ts'

const asGraphQLError = (error: unknown): GraphQLError => {
  if (error instanceof GraphQLError) return error
  const originalError = error instanceof Error ? error : new Error(String(error))
  return new GraphQLError(originalError.message, { originalError })
}

/** Formats the errors of later parts like those of a whole response. */
export function formatParts(
  { document, stream }: { readonly document: DocumentNode; readonly stream: ExecutedParts },
  dependencies: FormatDependencies,
  schema: GraphQLSchema,
): FormattedParts {
  const format = formatError(dependencies, () => schema)
  const placeError = createErrorPlacer(document)
  const formatFailure = (failure: unknown): GraphQLFormattedError => {
    const error = asGraphQLError(failure)
    placeError(error)
    return format(error.toJSON(), error)
  }
  const formatResult = ({ errors, ...result }: DeferredResult<unknown>) => ({
    ...result,
    ...(errors && { errors: errors.map(formatFailure) }),
  })
  return streamOf<LaterPart<GraphQLFormattedError>>(
    async () => {
      const { done, value } = await stream.next()
      if (done) return { done, value: undefined }
      return { done: false, value: { ...value, incremental: value.incremental.map(formatResult) } }
    },
    () => stream.return(undefined),
  )
}
