/** Corrected declarations of graphql-http. */
import type { ExecutionArgs, FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import { createHandler as create, type Handler, type HandlerOptions as Options } from 'graphql-http'

export interface HandlerOptions extends Omit<Options, 'execute' | 'formatError'> {
  execute(args: ExecutionArgs): Promise<FormattedExecutionResult>
  formatError(error: Error | GraphQLError | GraphQLFormattedError): GraphQLFormattedError
}

/** Errors are declared as instances of GraphQLError, but are only passed to `formatError` and written as JSON. */
export const createHandler = create as (options: HandlerOptions) => Handler
