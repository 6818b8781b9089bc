/** A result stream that ends with the session it belongs to. */
import { GraphQLError } from 'graphql'
import { asServiceError, toGraphQL } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import type { ResultStream } from './operation.ts'
import { streamOf } from './stream.ts'

const toError = (error: unknown) => (error instanceof GraphQLError ? error : toGraphQL(asServiceError(error)))

/** Ends the stream with the signal's reason as its error, whatever it is waiting for. */
export const untilEnded = (stream: ResultStream, signal: AbortSignal): ResultStream =>
  streamOf(
    () =>
      untilAborted(stream.next(), signal).catch(error => {
        throw toError(error)
      }),
    () => stream.return(undefined),
  )
