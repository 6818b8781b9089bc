/** Where the declarations of Apollo Gateway say other than what it does. */
import { executeQueryPlan as execute, type GraphQLDataSource } from '@apollo/gateway'
import type { FormattedExecutionResult } from 'graphql'

type Arguments = Parameters<typeof execute>

/** What a plan is executed for: its variables, and the context that data sources get. */
export type PlanRequest = Pick<Arguments[2], 'request' | 'context' | 'metrics' | 'logger'>

/** Declared to take a whole request of Apollo Server, of which it reads no more than this. */
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

/** Declared to take any context, where it is only ever given the one that Apollo Server was given. */
export const toDataSource = <Fetch>(source: OwnSource<Fetch>): GraphQLDataSource =>
  source as unknown as GraphQLDataSource
