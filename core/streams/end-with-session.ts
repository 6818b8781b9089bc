/** A result stream that ends with the session it belongs to. */
import { streamOf } from '../async/stream.ts'
import { toGraphQLError } from '../errors/graphql-errors.ts'
import type { ResultStream } from './operation.ts'

/** Ends the stream with the signal's reason as its error, whatever it is waiting for. */
export function endWithSession(stream: ResultStream, signal: AbortSignal): ResultStream {
  let fail: (error: unknown) => void = () => undefined
  // One listener for all results: one for each would be most of what a result costs here.
  const abort = () => fail(toGraphQLError(signal.reason))
  signal.addEventListener('abort', abort)
  const next = () =>
    new Promise<Awaited<ReturnType<ResultStream['next']>>>((resolve, reject) => {
      fail = reject
      if (signal.aborted) abort()
      else stream.next().then(resolve, error => reject(toGraphQLError(error)))
    })
  return streamOf(next, () => {
    signal.removeEventListener('abort', abort)
    return stream.return(undefined)
  })
}
