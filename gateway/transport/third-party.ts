/** Where the declarations of Apollo Gateway say other than what it does. */
import type { GraphQLDataSource } from '@apollo/gateway'
import type { FormattedExecutionResult } from 'graphql'
import type { Executed } from '../../subgraphs/shared/graph/executor.ts'

type SourceResponse = Awaited<ReturnType<GraphQLDataSource['process']>>

/** A data source's errors are declared as instances of GraphQLError, but what came as JSON is read in the same way. */
export const toSourceResponse = (result: FormattedExecutionResult | Executed): SourceResponse =>
  result as SourceResponse
