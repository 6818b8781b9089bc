/**
 * Executes operations on a subgraph's schema, whichever interface they come by; each text is parsed, validated and
 * compiled once.
 */
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import type { Caller } from '../access/principal.ts'
import { isOver, untilAborted, untilDecided } from '../async/deadline.ts'
import type { App } from '../context/app.ts'
import type { CompiledDocuments } from '../context/engine.ts'
import { fromFormatted } from '../errors/catalogue.ts'
import type { EventRow } from '../events/event.ts'
import type { PositionedStream } from '../events/stream.ts'
import { formatGraphError } from './error-format.ts'
import { createErrorPlacer } from './error-places.ts'
import { createDocumentCache } from './operation-limits.ts'
import type { Subgraph } from './subgraph.ts'

/** Prepared operation with the input of its execution. */
export interface PreparedOperation {
  readonly document: DocumentNode
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** The context that the subgraph makes of the caller. */
  readonly context: object
  readonly caller: Caller
}

/** Result as it goes over the wire. */
export interface Executed {
  readonly data?: Record<string, unknown> | null
  readonly errors?: GraphQLFormattedError[]
}

export interface Executor {
  /** Whether a text was prepared before: preparing it again costs nothing. */
  knows(query: unknown): boolean
  /** Parses and validates a text: gives its document, or the errors. */
  prepare(query: string): DocumentNode | readonly GraphQLError[]
  /** Formats errors with the catalogue's codes; an unexpected failure is logged under the caller's correlator. */
  format(errors: readonly GraphQLError[], caller: Caller): GraphQLFormattedError[]
  /** Executes, but waits no longer than the caller's time; `event` is an event of a subscription's stream. */
  execute(operation: PreparedOperation, event?: EventRow): Promise<Executed>
  /**
   * Opens the stream of a subscription, its events not executed yet.
   * @throws GraphQLError with a code of the catalogue where the subscription is refused.
   */
  subscribe(operation: PreparedOperation): Promise<PositionedStream<EventRow>>
}

/** Whether a value is a promise by graphql-js's rule: an object or function with a method `then`. */
export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { readonly then?: unknown }).then === 'function'

export const isRefusal = (
  prepared: DocumentNode | readonly GraphQLError[],
): prepared is readonly GraphQLError[] => Array.isArray(prepared)

export interface ExecutorOptions {
  /** Maximum number of tokens in a text; no limit when absent. */
  readonly maxTokens?: number
}

interface OperationOptions extends ExecutorOptions {
  /** Whether messages name only parts of the schema that the operation names itself. */
  readonly hideSuggestions?: boolean
}

/** More than a client's operation can have. Validation compares fragments in pairs, so their number is limited. */
const MAX_FRAGMENTS = 300

const checkFragments = ({ definitions }: DocumentNode): void => {
  const { length } = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  if (length > MAX_FRAGMENTS) throw new GraphQLError(`The operation has more than ${MAX_FRAGMENTS} fragments`)
}

/** Refuses `_service`: a subgraph's document contains all that introspection gives. */
const noServiceDocument: ValidationRule = context => ({
  Field(node) {
    if (node.name.value === '_service' && context.getParentType() === context.getSchema().getQueryType())
      context.reportError(new GraphQLError('The schema may not be read', { nodes: node }))
  },
})

const RULES_WHERE_HIDDEN = [...specifiedRules, NoSchemaIntrospectionCustomRule, noServiceDocument]

/** Rules of GraphQL; without introspection, also the rules that keep the schema from being read. */
const rulesOf = ({ introspection }: { readonly introspection: boolean }): readonly ValidationRule[] =>
  introspection ? specifiedRules : RULES_WHERE_HIDDEN

/** Parses a text twice: a document with locations is validated, one without is kept, since it is half as large. */
const parseAndValidate = (
  { schema }: Subgraph,
  query: string,
  { maxTokens, hideSuggestions }: OperationOptions,
): DocumentNode | readonly GraphQLError[] => {
  try {
    const document = parse(query, { maxTokens })
    checkFragments(document)
    const errors = validate(schema, document, rulesOf({ introspection: !hideSuggestions }), {
      hideSuggestions,
    })
    errors.forEach(createErrorPlacer(document))
    return errors.length > 0 ? errors : parse(query, { noLocation: true })
  } catch (error) {
    return [error as GraphQLError]
  }
}

/** Makes the functions that prepare texts and keep their documents. Refused texts are not kept: clients seldom repeat them. */
const createPrepare = (
  subgraph: Subgraph,
  compiled: CompiledDocuments | undefined,
  options: OperationOptions,
): Pick<Executor, 'prepare' | 'knows'> => {
  const documents = createDocumentCache(compiled?.bytesOf)
  const knows = (query: unknown) => typeof query === 'string' && documents.has(query)
  const prepare = (query: string) => {
    const known = documents.get(query)
    if (known) return known
    const prepared = parseAndValidate(subgraph, query, options)
    if (isRefusal(prepared)) return prepared
    compiled?.add(prepared)
    documents.set(query, prepared)
    return prepared
  }
  return { prepare, knows }
}

const isMutation = ({ definitions }: DocumentNode): boolean =>
  definitions.some(node => node.kind === Kind.OPERATION_DEFINITION && node.operation === 'mutation')

const argsOf = (
  { schema }: Subgraph,
  operation: PreparedOperation,
  { hideSuggestions }: OperationOptions,
) => ({
  schema,
  hideSuggestions,
  document: operation.document,
  operationName: operation.operationName,
  variableValues: operation.variables,
  contextValue: operation.context,
})

/** Makes the function that executes an operation: compiled if possible, otherwise by graphql-js. */
const createRun =
  (subgraph: Subgraph, compiled: CompiledDocuments | undefined, options: OperationOptions) =>
  (operation: PreparedOperation, event: EventRow | undefined) => {
    const { document, operationName, variables, context } = operation
    const request = { variableValues: variables, contextValue: context, rootValue: event }
    const executed = compiled?.find(document, operationName)?.(request)
    return executed ?? execute({ ...argsOf(subgraph, operation, options), rootValue: event })
  }

/** Waits for the result; gives an error when the caller's time is up. */
const inTime = (
  response: ExecutionResult | PromiseLike<ExecutionResult>,
  { document, caller }: PreparedOperation,
): Promise<ExecutionResult> => {
  const wait = isMutation(document) ? untilDecided : untilAborted
  return wait(Promise.resolve(response), caller.signal).catch(error => ({
    errors: [new GraphQLError(error.message, { originalError: error })],
  }))
}

/** Makes the executor of a subgraph. */
export function createExecutor(
  subgraph: Subgraph,
  { log, config, engine }: Pick<App, 'log' | 'config' | 'engine'>,
  limits: ExecutorOptions = {},
): Executor {
  const options = { ...limits, hideSuggestions: !config.introspection }
  const hidden = config.introspection ? undefined : subgraph.schema
  const compiled = engine?.createDocuments(subgraph.schema)
  const run = createRun(subgraph, compiled, options)
  const format: Executor['format'] = (errors, { correlator }) =>
    errors.flatMap(error => formatGraphError(error, () => log.child({ correlator }), hidden))

  return {
    ...createPrepare(subgraph, compiled, options),
    format,
    async execute(operation, event) {
      const { caller } = operation
      const response = run(operation, event)
      const isThere = !isPromise(response) && !isOver(caller.signal)
      const { data, errors } = isThere ? response : await inTime(response, operation)
      if (!errors) return { data }
      if (data === undefined) errors.forEach(createErrorPlacer(operation.document))
      return { ...(data !== undefined && { data }), errors: format(errors, caller) }
    },
    async subscribe(operation) {
      const stream = await createSourceEventStream(argsOf(subgraph, operation, options))
      if (Symbol.asyncIterator in stream) return stream as PositionedStream<EventRow>
      throw fromFormatted(format(stream.errors ?? [], operation.caller)[0]!)
    },
  }
}
