/** Operations with `@defer`, executed whole and in parts over subgraphs that are parts of one graph, and compared. */
import { createHash } from 'node:crypto'
import { ApolloGateway } from '@apollo/gateway'
import { type GraphQLSchema, Kind } from 'graphql'
import { expect } from 'vitest'
import { createOperations } from '#engine/gateway/operations.ts'
import { teachDefer } from '#gateway/deferral/directive.ts'
import type { LaterPart } from '#gateway/deferral/parts.ts'
import { readSupergraph, subgraphDocuments } from '#gateway/supergraph/document.ts'
import type { PlanResult } from '#gateway/supergraph/engine.ts'
import { createPlanningGateway, PLANNER } from '#gateway/supergraph/gateway.ts'
import { toDataSource } from '#gateway/third-party/apollo-gateway.ts'
import { withErrorPaths } from '#gateway/transport/error-paths.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { contextOf, log } from '#test/support/fetches.ts'
import { type Merged, merge } from '#test/support/merged-parts.ts'
import { hash } from '#test/support/random.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { createSource, runs } from './both-ways.ts'
import { generateDeferring } from './deferring.ts'
import { partsDifferences } from './equal-parts.ts'
import type { Answerer } from './mock-subgraphs.ts'
import { createOneGraph, type Fails } from './one-graph.ts'

interface Delivered {
  readonly first: PlanResult
  readonly parts: readonly LaterPart<unknown>[]
}

export interface InParts extends AsyncDisposable {
  readonly schema: GraphQLSchema
  answerer(fails?: Fails): Answerer
  whole(operation: OperationRequest, answerer: Answerer): Promise<PlanResult>
  inParts(operation: OperationRequest, answerer: Answerer): Promise<Delivered>
  /** Takes the first part alone. @returns the signal of the operation. */
  leave(operation: OperationRequest, answerer: Answerer): Promise<AbortSignal>
  /** Fields by which entities are found, without which nothing can be deferred. */
  readonly keys: ReadonlySet<string>
}

const keysIn = (documents: ReturnType<typeof subgraphDocuments>): Set<string> => {
  const keys = documents.flatMap(({ typeDefs }) =>
    typeDefs.definitions.flatMap(node => {
      if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return []
      const fields = (node.directives ?? [])
        .filter(({ name }) => name.value === 'key')
        .map(({ arguments: args = [] }) => args.find(({ name }) => name.value === 'fields')?.value)
      return fields.flatMap(one => (one?.kind === Kind.STRING ? one.value.split(/\W+/) : []))
    }),
  )
  return new Set(keys)
}

/** Loads the project's own supergraph. */
export async function openInParts(): Promise<InParts> {
  const documents = subgraphDocuments(await loadKinds())
  const gateway = new ApolloGateway({
    supergraphSdl: readSupergraph(),
    buildService: ({ name }) => toDataSource(createSource(name)),
    queryPlannerConfig: PLANNER,
    logger: log,
  })
  const sendOf = ({ serviceName }: { serviceName: string }) => {
    const source = withErrorPaths(createSource(serviceName))
    return (fetch: Fetch) => source.process(fetch)
  }
  const wrapped = createPlanningGateway(gateway, { engine: { createOperations }, sendOf })
  const { executor } = await wrapped.load({ apollo: {} })
  const schema = teachDefer(wrapped.parts.schema)
  const graph = createOneGraph(schema, documents)
  const begin = async (operation: OperationRequest, answerer: Answerer, takesParts: boolean) => {
    const context = contextOf({ takesParts })
    runs.set(context, { answerer, fetches: [] })
    const { document, text: source, variables, operationName } = operation
    const request = { query: source, variables, operationName }
    const queryHash = createHash('sha256').update(source).digest('hex')
    const given = { request, document, source, queryHash, metrics: {}, logger: log, context }
    const first = await (executor as unknown as (given: object) => Promise<PlanResult>)(given)
    return { context, first, stream: context.delivery?.parts?.stream }
  }
  const execute = async (operation: OperationRequest, answerer: Answerer, takesParts: boolean) => {
    const { context, first, stream } = await begin(operation, answerer, takesParts)
    const parts: LaterPart<unknown>[] = []
    for await (const part of stream ?? []) parts.push(part)
    context.done()
    return { first, parts }
  }
  return {
    schema,
    keys: keysIn(documents),
    answerer: fails => graph.answerer([], fails),
    whole: async (operation, answerer) => (await execute(operation, answerer, false)).first,
    inParts: (operation, answerer) => execute(operation, answerer, true),
    async leave(operation, answerer) {
      const { context, stream } = await begin(operation, answerer, true)
      const next = stream!.next()
      await stream!.return(undefined)
      expect(await next).toEqual({ done: true, value: undefined })
      return context.caller.signal
    },
    [Symbol.asyncDispose]: () => wrapped.stop(),
  }
}

export interface PartsTally {
  operations: number
  inParts: number
  results: number
  nested: number
  inLists: number
  withErrors: number
  withNull: number
}

export const createPartsTally = (): PartsTally => ({
  operations: 0,
  inParts: 0,
  results: 0,
  nested: 0,
  inLists: 0,
  withErrors: 0,
  withNull: 0,
})

const count = (tally: PartsTally, { results, nulls }: Merged, parts: readonly LaterPart<unknown>[]) => {
  tally.operations += 1
  tally.inParts += parts.length > 0 ? 1 : 0
  tally.results += results.length
  tally.nested += parts.length > 1 ? 1 : 0
  tally.inLists += results.some(({ path }) => path.some(step => typeof step === 'number')) ? 1 : 0
  tally.withErrors += results.some(({ errors }) => errors) ? 1 : 0
  tally.withNull += nulls.length > 0 ? 1 : 0
}

/** Expects the parts of an operation put together to be its whole response. */
export async function expectWhole(
  { whole: executeWhole, inParts, schema }: InParts,
  operation: OperationRequest,
  answerer: Answerer,
  tally: PartsTally,
): Promise<void> {
  const what = `${operation.text}\n${JSON.stringify(operation.variables)}`
  const whole = await executeWhole(operation, answerer)
  const { first, parts } = await inParts(operation, answerer)
  const merged = merge(first, parts)
  expect(partsDifferences(schema, operation.document, whole, first, merged), what).toEqual([])
  expect(
    parts.map(({ hasNext }) => hasNext),
    what,
  ).toEqual(parts.map((_, index) => index < parts.length - 1))
  count(tally, merged, parts)
}

/**
 * The operations of these seeds.
 * @param times how often each is executed, each time over other answers: a plan is made once.
 */
export async function compareInParts(
  opened: InParts,
  [from, to]: readonly [number, number],
  answererOf: (seed: number) => Answerer,
  times = 1,
): Promise<PartsTally> {
  const tally = createPartsTally()
  for (let seed = from; seed < to; seed++) {
    const operation = generateDeferring(opened.schema, seed)
    // Every subgraph has this field: parts may ask another one than the whole, which fails or not by itself.
    if (operation.text.includes('latestEventCursor')) continue
    for (let time = 0; time < times; time++)
      await expectWhole(opened, operation, answererOf(seed * times + time), tally)
  }
  return tally
}

/** Fields fail here and there, the same wherever they are asked for. */
export const failing = ({ answerer, keys }: InParts, seed: number): Answerer =>
  answerer((field, self) => !keys.has(field) && hash(`${seed} ${field} of ${self}`) % 12 === 0)

/** Some subgraphs cannot be reached. */
export const withoutSome =
  (answerer: Answerer, seed: number): Answerer =>
  async (subgraph, question) =>
    hash(`${seed} ${subgraph}`) % 3 === 0
      ? JSON.stringify({ errors: [{ message: `${subgraph} cannot be reached` }] })
      : answerer(subgraph, question)
