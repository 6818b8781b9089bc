/**
 * Parts of a response: the first, which Apollo Server formats like any response, and those that follow. They have the form of
 * the specification's draft of 24 August 2022, in which Apollo Client, Relay and urql read them.
 */
import type { DocumentNode, GraphQLFormattedError } from 'graphql'
import type { Stream } from '#core/async/stream.ts'

/** Deferred fragment of one object. */
export interface DeferredResult<Failure> {
  /** Label that the client gave the fragment. */
  readonly label?: string
  /** Place of the object in the response. */
  readonly path: readonly (string | number)[]
  /** Null where a field that may not be null is. */
  readonly data: Record<string, unknown> | null
  readonly errors?: readonly Failure[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

/** Part that follows the first. */
export interface LaterPart<Failure> {
  readonly incremental: readonly DeferredResult<Failure>[]
  readonly hasNext: boolean
}

/** Parts that follow, as they are executed: errors are of any type. Ending the stream cancels what is still to be fetched. */
export type ExecutedParts = Stream<LaterPart<unknown>>

/** Parts that follow, as clients get them. */
export type FormattedParts = Stream<LaterPart<GraphQLFormattedError>>

/** Delivery in parts, to a client that takes them; the executor sets the parts of an operation that has some. */
export interface Delivery {
  parts?: { readonly document: DocumentNode; readonly stream: ExecutedParts }
}
