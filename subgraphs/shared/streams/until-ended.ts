/** A result stream that ends with the session it belongs to. */
import { asServiceError, toGraphQL } from '../errors.ts'
import { untilAborted } from '../until-aborted.ts'
import type { ResultStream } from './operation.ts'

/** Ends the stream with the signal's reason as its error, whatever it is waiting for. */
export function untilEnded(stream: ResultStream, signal: AbortSignal): ResultStream {
  const end = () => stream.return(undefined)
  return {
    ...stream,
    async next() {
      try {
        return await untilAborted(stream.next(), signal)
      } catch (error) {
        await end()
        throw error instanceof Error && 'extensions' in error && 'toJSON' in error
          ? error
          : toGraphQL(asServiceError(error))
      }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
