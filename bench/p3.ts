/**
 * P3: the analyst's query over the real subgraphs on PostgreSQL, all in one, against one statement written by hand, and
 * against a bare GraphQL server over that statement.
 */
import { GRAPHQL, GRAPHQL_JS, requestsOf, startAnalystPair } from './lib/analyst-query.ts'
import { findingsOf, measureSides } from './lib/measured.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'

const PLAN = { connections: 50, seconds: scaled(5, 1), turns: scaled(5) }

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using started = await startAnalystPair(flags)
  const { pair, headers } = started
  const sides = [
    { server: pair.ours, requests: () => requestsOf(GRAPHQL, headers) },
    { server: pair.bare, requests: () => requestsOf(GRAPHQL, headers) },
    { server: pair.bare, requests: () => requestsOf(GRAPHQL_JS, headers) },
  ]
  const [ours, statement, graphql] = await measureSides(sides, PLAN)
  const work = "the analyst's query, 50 connections"
  const byHand = { id: 'P3', work, against: 'Fastify + pg, the answer as one statement' }
  const byGraphql = { id: 'P3', work, against: 'Fastify + graphql-js over the same statement' }
  return [
    ...findingsOf({ ...byHand, targets: ['>= 0.4', '>= 0.4'] }, ours!, statement!),
    ...findingsOf({ ...byGraphql, targets: ['>= 2', '>= 2'] }, ours!, graphql!),
  ]
}
