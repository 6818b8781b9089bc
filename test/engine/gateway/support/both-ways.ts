/**
 * One operation executed by Apollo Gateway alone and compiled, over subgraphs that answer both the same; what each
 * answered and fetched, as text to be compared.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { ApolloGateway } from '@apollo/gateway'
import { type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { createOperations } from '#engine/gateway/operations.ts'
import { createPlanningGateway, type PlanningGateway } from '#gateway/supergraph/gateway.ts'
import { toDataSource } from '#gateway/third-party/apollo-gateway.ts'
import type { Fetch, SubgraphSource } from '#gateway/transport/transport.ts'
import { dedupeEntities } from '#gateway/transport/wrapped-source.ts'
import { contextOf, log } from '#test/support/fetches.ts'
import { hash } from '#test/support/random.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import type { Answerer } from './mock-subgraphs.ts'

/** Outcome of an operation, as text. */
export interface Outcome {
  /** With its keys in their sequence; undefined where there are none. */
  readonly data: string | undefined
  readonly errors: readonly string[] | undefined
  readonly extensions: string | undefined
  /** Why there is no answer at all. */
  readonly thrown: string | undefined
  /** In the sequence in which they were sent. */
  readonly fetches: readonly string[]
}

export interface BothWays extends AsyncDisposable {
  /** Schema that clients see. */
  readonly schema: GraphQLSchema
  /** How many operations the compiled way handed to Apollo Gateway whole. */
  readonly handedOn: number
  /** How many answers of compiled operations Apollo's `computeResponse` shaped. */
  readonly shapedByApollo: number
  byApollo(operation: OperationRequest, answerer: Answerer): Promise<Outcome>
  compiled(operation: OperationRequest, answerer: Answerer): Promise<Outcome>
}

type Execute = (context: object) => Promise<FormattedExecutionResult>

/** Subgraphs of an execution, and its fetches. */
export interface Run {
  readonly answerer: Answerer
  readonly fetches: string[]
}

/** By the context of the execution. */
export const runs = new WeakMap<object, Run>()

/** Each answer in a turn of the event loop of its own, after one to three turns, so that the sequence is no accident. */
const wait = async (sent: string) => {
  for (let turns = hash(sent) % 3; turns >= 0; turns--) await setImmediate()
}

/** The subgraph of this name, which is sent each representation once, as those of the program are. */
const createAnswering = (name: string): SubgraphSource =>
  dedupeEntities({
    async process({ request: { query, variables }, context }: Fetch) {
      const { answerer } = runs.get(context)!
      const sent = JSON.stringify(variables ?? {})
      const answer = await answerer(name, { query: query!, variables: JSON.parse(sent) })
      await wait(sent)
      return JSON.parse(answer)
    },
  })

/**
 * The subgraph of this name, for every execution that is among the runs. A fetch takes nothing from another: faults of one are not
 * those of the other.
 */
export const createSource = (name: string): SubgraphSource => {
  const source = createAnswering(name)
  return {
    process(fetch) {
      const { request, context, pathInIncomingRequest, distinct } = fetch
      const sent = JSON.stringify(request.variables ?? {})
      const place = pathInIncomingRequest?.join('.')
      const { fetches } = runs.get(context)!
      fetches.push(`${name} ${request.operationName ?? ''} ${request.query} ${sent} @${place}`)
      return source.process({ ...fetch, distinct: distinct && { ...distinct, family: undefined } })
    },
  }
}

const shown = (error: unknown): string => {
  if (error instanceof GraphQLError) return JSON.stringify([error.message, error.path, error.extensions])
  return String(error)
}

const listed = (value: unknown): string | undefined =>
  value === undefined
    ? undefined
    : JSON.stringify(value, (_, one) => (one instanceof Error ? shown(one) : one))

/** Describes the outcome of an execution. */
export const outcomeOf = (
  { data, errors, extensions }: FormattedExecutionResult,
  { fetches }: Run,
): Outcome => ({
  data: listed(data),
  errors: errors?.map(shown),
  extensions: listed(extensions),
  thrown: undefined,
  fetches,
})

/** Its own objects have no prototype, which those of a compiled shape have. */
const isApollos = (data: object | null | undefined) => !data || Object.getPrototypeOf(data) === null

const requestContext = ({ document, text, variables, operationName }: OperationRequest, context: object) => ({
  request: { query: text, variables, operationName },
  document,
  source: text,
  queryHash: createHash('sha256').update(text).digest('hex'),
  metrics: {},
  logger: log,
  context,
})

interface Opened {
  readonly wrapped: PlanningGateway
  readonly counted: { readonly calls: number; shaped: number }
  readonly execute: Execute
}

const run = async (
  { execute, counted }: Opened,
  operation: OperationRequest,
  answerer: Answerer,
): Promise<Outcome> => {
  const context = contextOf()
  const one: Run = { answerer, fetches: [] }
  runs.set(context, one)
  try {
    const result = await execute(requestContext(operation, context))
    if (isApollos(result.data)) counted.shaped += 1
    return outcomeOf(result, one)
  } catch (error) {
    const thrown = shown(error)
    return { data: undefined, errors: undefined, extensions: undefined, thrown, fetches: one.fetches }
  } finally {
    context.done()
  }
}

/** Makes the subgraph of a name. */
export type SourceOf = (name: string) => SubgraphSource

/** A gateway of its own, and how many operations it was given to execute. */
const createGateway = (supergraphSdl: string, sourceOf: SourceOf) => {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => toDataSource(sourceOf(name)),
    logger: log,
  })
  const load = gateway.load.bind(gateway)
  const counted = { calls: 0, shaped: 0 }
  gateway.load = async options => {
    const loaded = await load(options)
    const executor: typeof loaded.executor = context => {
      counted.calls += 1
      return loaded.executor(context)
    }
    return { ...loaded, executor }
  }
  return { gateway, counted }
}

const open = async (supergraphSdl: string, isOn: boolean, sourceOf: SourceOf): Promise<Opened> => {
  const { gateway, counted } = createGateway(supergraphSdl, sourceOf)
  const sendOf = ({ serviceName }: { serviceName: string }) => {
    const source = sourceOf(serviceName)
    return (fetch: Fetch) => source.process(fetch)
  }
  const wrapped = createPlanningGateway(gateway, { engine: isOn ? { createOperations } : undefined, sendOf })
  const { executor } = await wrapped.load({ apollo: {} })
  return { wrapped, counted, execute: executor as Execute }
}

/** Loads a supergraph both ways. */
export async function openBothWays(
  supergraphSdl: string,
  sourceOf: SourceOf = createSource,
): Promise<BothWays> {
  const stock = await open(supergraphSdl, false, sourceOf)
  const compiled = await open(supergraphSdl, true, sourceOf)
  return {
    schema: compiled.wrapped.parts.schema,
    get handedOn() {
      return compiled.counted.calls
    },
    get shapedByApollo() {
      return compiled.counted.shaped - compiled.counted.calls
    },
    byApollo: (operation, answerer) => run(stock, operation, answerer),
    compiled: (operation, answerer) => run(compiled, operation, answerer),
    async [Symbol.asyncDispose]() {
      await stock.wrapped.stop()
      await compiled.wrapped.stop()
    },
  }
}
