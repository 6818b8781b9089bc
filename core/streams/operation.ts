/** An operation whose client can take more than one result, over any transport and at any server. */
import type { FormattedExecutionResult } from 'graphql'
import type { Principal } from '../access/principal.ts'
import type { AccessTrail } from '../audit/access-recorder.ts'

/** A GraphQL request, over any transport. */
export interface GraphRequest {
  readonly query?: string
  /** The id of a document that the server has, in place of a text. */
  readonly documentId?: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** The sender of an operation. */
export interface Sender {
  readonly principal: Principal
  /** The sender's `Authorization` value, passed on to other processes. */
  readonly authorization: string
  readonly correlator: string
  /** The person behind the client, as far as it is known. */
  readonly user?: string | undefined
  /** Records the customers and subscribers that the operation reaches. */
  readonly trail: AccessTrail
  /** The trace headers that came with the request. */
  readonly trace?: Readonly<Record<string, string>>
  /** Whether it came by a method that must not change anything. */
  readonly readOnly?: boolean
}

export type ResultStream = AsyncGenerator<FormattedExecutionResult, undefined, undefined>

/** One result, or a stream of them. */
export type OperationResponse =
  | { readonly result: FormattedExecutionResult }
  | { readonly stream: ResultStream }

/** Runs an operation: a query or a mutation for one result, a subscription for a stream of them. */
export type RunOperation = (request: GraphRequest, sender: Sender) => Promise<OperationResponse>

/** Name that a client gave an operation: the planner adds subgraph and number to it (`Customer360__prepaid__1`). */
export const clientOperation = (name: string | null | undefined): string | undefined =>
  name?.split(/__[a-z]+(?:_[a-z]+)*__\d+$/, 1)[0] || undefined
