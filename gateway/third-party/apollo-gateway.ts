/** Apollo Gateway under types that describe its behaviour, where its own do not. */
import { executeQueryPlan as execute, type GraphQLDataSource } from '@apollo/gateway'
import type { FormattedExecutionResult } from 'graphql'

type Arguments = Parameters<typeof execute>

/** Request of a plan: its variables, and the context that data sources get. */
export type PlanRequest = Pick<Arguments[2], 'request' | 'context' | 'metrics' | 'logger'>

/** Executes a plan; declared to take a whole request of Apollo Server, it reads only this part. */
export const executeQueryPlan = execute as (
  plan: Arguments[0],
  services: Arguments[1],
  request: PlanRequest,
  operation: Arguments[3],
  supergraphSchema: Arguments[4],
  apiSchema: Arguments[5],
) => ReturnType<typeof execute>

interface OwnSource<Fetch> {
  process(fetch: Fetch): Promise<FormattedExecutionResult>
}

/** Makes a data source; declared to take any context, it only gets that of Apollo Server. */
export const toDataSource = <Fetch>(source: OwnSource<Fetch>): GraphQLDataSource =>
  source as unknown as GraphQLDataSource
