/** An operation of a client that can take more than one result, whatever it came by and whoever runs it. */
import type { FormattedExecutionResult } from 'graphql'
import type { Principal } from '../access/principal.ts'

/** A GraphQL request, whatever it came by. */
export interface GraphRequest {
  readonly query?: string
  /** The id of a document that the server has, in place of a text. */
  readonly documentId?: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  readonly extensions?: Record<string, unknown>
}

/** Who sends it. */
export interface Sender {
  readonly principal: Principal
  /** The `Authorization` value by which the sender is known, to go along to other processes. */
  readonly authorization: string
  readonly correlator: string
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

/** Runs queries and mutations once, subscriptions on and on. */
export type RunOperation = (request: GraphRequest, sender: Sender) => Promise<OperationResponse>
