/** Generated operations under each combination of their conditions, compared with what graphql-js answers of one schema. */
import { type GraphQLSchema, OperationTypeNode } from 'graphql'
import { expect } from 'vitest'
import { readSupergraph, subgraphDocuments } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { type Outcome, openBothWays } from './both-ways.ts'
import { openEventWays } from './both-ways-events.ts'
import type { Answerer } from './mock-subgraphs.ts'
import { createOneGraph, type OneGraph } from './one-graph.ts'
import { eachCombination, generateConditional } from './operations.ts'

/** By Apollo Gateway alone, and compiled. */
type Ways = (operation: OperationRequest, answerer: Answerer) => Promise<readonly Outcome[]>

export interface ConditionalGraph extends AsyncDisposable {
  readonly schema: GraphQLSchema
  /** Expects each way to come to what graphql-js comes to, the same mutations in the same sequence. */
  expectRight(
    operation: OperationRequest,
  ): Promise<{ readonly data: string; readonly executed: readonly string[] }>
}

const comeTo = async (ways: Ways, operation: OperationRequest, graph: OneGraph) => {
  const executed: string[] = []
  const outcomes = await ways(operation, graph.answerer(executed))
  // Each way executes all of it: the first half of what was executed is Apollo's.
  const share = executed.length / outcomes.length
  return outcomes.map(({ data, errors, thrown }, index) => ({
    // Members in any sequence: a field that is selected twice stands where Apollo's planner put both together.
    data: JSON.parse(data ?? 'null'),
    errors,
    thrown,
    executed: executed.slice(index * share, (index + 1) * share),
  }))
}

const expectRightBy = async (ways: Ways, operation: OperationRequest, graph: OneGraph) => {
  const answered = await graph.execute(operation)
  if (!answered) return { data: '', executed: [] }
  const right = { ...answered, data: JSON.parse(answered.data), errors: undefined, thrown: undefined }
  const found = await comeTo(ways, operation, graph)
  expect(found, `${operation.text}\n${JSON.stringify(operation.variables)}`).toEqual(found.map(() => right))
  return answered
}

/** Opens the project's own supergraph over subgraphs that are parts of one graph. */
export async function openConditionalGraph(): Promise<ConditionalGraph> {
  const documents = subgraphDocuments(await loadKinds())
  const names = documents.map(({ name }) => name)
  const both = await openBothWays(readSupergraph())
  const events = await openEventWays(readSupergraph(), names)
  const graph = createOneGraph(both.schema, documents)
  const whole: Ways = async (operation, answerer) => [
    await both.byApollo(operation, answerer),
    await both.compiled(operation, answerer),
  ]
  const event: Ways = async (operation, answerer) => (await events.execute(operation, answerer))!
  return {
    schema: both.schema,
    expectRight: operation =>
      expectRightBy(/^subscription/.test(operation.text) ? event : whole, operation, graph),
    async [Symbol.asyncDispose]() {
      await both[Symbol.asyncDispose]()
      await events[Symbol.asyncDispose]()
    },
  }
}

/** So many generated operations of a kind; how many were compared, and how many had an object with nothing left of it. */
export async function compareConditional(
  { schema, expectRight }: ConditionalGraph,
  kind: OperationTypeNode,
  count: number,
): Promise<{ operations: number; empty: number; executed: number }> {
  const tally = { operations: 0, empty: 0, executed: 0 }
  for (let seed = 0; seed < count; seed++) {
    for (const operation of eachCombination(generateConditional(schema, seed, kind))) {
      const { data, executed } = await expectRight(operation)
      tally.operations += 1
      tally.empty += data.includes('{}') ? 1 : 0
      tally.executed += executed.length
    }
  }
  expect(tally.empty).toBeGreaterThan(tally.operations / 10)
  if (kind === OperationTypeNode.MUTATION) expect(tally.executed).toBeGreaterThan(tally.operations / 2)
  return tally
}
