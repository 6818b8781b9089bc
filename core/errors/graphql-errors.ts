/** Failures in the format of the graph. */
import { type FormattedExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { asServiceError, toGraphQL } from './catalogue.ts'
import { oneByOne } from './faults.ts'

/** Translates any failure into an error of the graph, and masks bugs. */
export const toGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : toGraphQL(asServiceError(error))

/** Turns a formatted error into one that can be thrown. */
export const fromFormatted = ({ message, path, extensions }: GraphQLFormattedError): GraphQLError =>
  new GraphQLError(message, { path, extensions })

/** The result of an operation that failed as a whole, with codes of the catalogue alone. */
export const failedResult = (error: unknown): FormattedExecutionResult => ({
  errors: oneByOne(asServiceError(error)).map(fault => toGraphQL(fault).toJSON()),
})
