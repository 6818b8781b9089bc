/** Subscriptions to a subgraph in this process: its schema's own stream, each event executed when it is taken. */
import { createSourceEventStream, type DocumentNode, execute, GraphQLError, parse } from 'graphql'
import { formatGraphError } from '../../subgraphs/shared/graph/failures.ts'
import type { Logger } from '../../subgraphs/shared/log.ts'
import type { Subgraph } from '../../subgraphs/shared/subgraph.ts'
import type { GatewayContext } from '../context.ts'
import { untilAborted } from '../deadline.ts'
import { mapStream } from './map-stream.ts'
import type { EventSource, SourceEvent } from './source.ts'

const MAX_DOCUMENTS = 1_000

/** Each operation text is parsed once. */
const createParser = () => {
  const known = new Map<string, DocumentNode>()
  return (text: string): DocumentNode => {
    const document = known.get(text) ?? parse(text, { noLocation: true })
    if (known.size >= MAX_DOCUMENTS) known.delete(known.keys().next().value!)
    known.set(text, document)
    return document
  }
}

/** What a subgraph's stream of events yields: an event of the log. */
interface LoggedEvent {
  readonly position: bigint
}

type LoggedEvents = AsyncGenerator<LoggedEvent, undefined, undefined>

/** The event source of one subgraph in this process. */
export function createLocalEventSource(subgraph: Subgraph, log: Logger): EventSource {
  const { schema } = subgraph
  const parseOnce = createParser()
  const format = (errors: readonly GraphQLError[] | undefined) =>
    errors?.map(error => {
      const { message, ...options } = formatGraphError(error, log)
      return new GraphQLError(message, { path: options.path, extensions: options.extensions })
    })

  return {
    async subscribe({ operation }, variables, context) {
      const document = parseOnce(operation)
      const variableValues = { ...variables }
      const contextValue = context.forSubgraph(subgraph)
      const stream = await createSourceEventStream({ schema, document, variableValues, contextValue })
      if (!(Symbol.asyncIterator in stream)) throw format(stream.errors)![0]!

      const read = async (rootValue: LoggedEvent, own: GatewayContext) => {
        const args = { schema, document, rootValue, variableValues, contextValue: own.forSubgraph(subgraph) }
        const { data, errors } = await untilAborted(Promise.resolve(execute(args)), own.caller.signal)
        return { data, errors: format(errors) }
      }
      return mapStream(stream as LoggedEvents, async (event): Promise<SourceEvent> => {
        return { id: `${event.position}`, read: own => read(event, own) }
      })
    },
  }
}
