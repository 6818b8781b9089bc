/** Corrected declarations of graphql-ws. */
import type { ExecutionArgs, FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import {
  type Context,
  makeServer as make,
  type ServerOptions as Options,
  type Server,
  type SubscribePayload,
} from 'graphql-ws'

type Params = Record<string, unknown> | undefined

/** One result, or a stream of them. */
export type OperationOutcome = FormattedExecutionResult | AsyncIterable<FormattedExecutionResult>

export interface ServerOptions<Extra> extends Omit<Options<Params, Extra>, 'execute' | 'onNext' | 'onError'> {
  execute(args: ExecutionArgs): OperationOutcome
  onError(
    context: Context<Params, Extra>,
    id: string,
    payload: SubscribePayload,
    errors: readonly GraphQLError[],
  ): readonly GraphQLFormattedError[]
  onNext(
    context: Context<Params, Extra>,
    id: string,
    payload: SubscribePayload,
    args: ExecutionArgs,
    result: FormattedExecutionResult,
  ): FormattedExecutionResult
}

/** Errors of results are declared as instances of GraphQLError, but a result is only passed to `onNext` and written. */
export const makeServer = make as unknown as <Extra>(options: ServerOptions<Extra>) => Server<Extra>
