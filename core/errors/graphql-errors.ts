/** Failures as the graph says them. */
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { asServiceError, toGraphQL } from './catalogue.ts'
import { oneByOne } from './faults.ts'

/** Any failure as an error of the graph: one that is one already stays as it is, and a bug is masked. */
export const toGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : toGraphQL(asServiceError(error))

/** An error that came formatted, as one that can be thrown. */
export const fromFormatted = ({ message, path, extensions }: GraphQLFormattedError): GraphQLError =>
  new GraphQLError(message, { path, extensions })

/** The result of what failed as a whole, in the codes of the catalogue alone. */
export const failedResult = (error: unknown): FormattedExecutionResult => ({
  errors: oneByOne(asServiceError(error)).map(fault => toGraphQL(fault).toJSON()),
})
