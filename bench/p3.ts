/**
 * P3: the analyst's query over the real subgraphs on PostgreSQL, all in one, against one statement written by hand, and
 * against a bare GraphQL server over that statement, or with a statement for each field.
 */
import { GRAPHQL, GRAPHQL_JS, GRAPHQL_JS_FIELDS, requestsOf, startAnalystPair } from './lib/analyst-query.ts'
import { findingsOf, measureSides } from './lib/measured.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'

const PLAN = { connections: 50, seconds: scaled(5, 1), turns: scaled(5) }

const AGAINST = [
  ['Fastify + pg, the answer as one statement', '>= 0.4', GRAPHQL],
  ['Fastify + graphql-js over the same statement', '>= 2', GRAPHQL_JS],
  ['Fastify + graphql-js, a statement for each field', '>= 2', GRAPHQL_JS_FIELDS],
] as const

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using started = await startAnalystPair(flags)
  const { pair, headers } = started
  const sides = [
    { server: pair.ours, requests: () => requestsOf(GRAPHQL, headers) },
    ...AGAINST.map(([, , path]) => ({ server: pair.bare, requests: () => requestsOf(path, headers) })),
  ]
  const [ours, ...theirs] = await measureSides(sides, PLAN)
  const work = "the analyst's query, 50 connections"
  return AGAINST.flatMap(([against, target], index) =>
    findingsOf({ id: 'P3', work, against, targets: [target, target] }, ours!, theirs[index]!),
  )
}
