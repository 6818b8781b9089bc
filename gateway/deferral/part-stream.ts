/** Parts of a response as results of a stream, for transports that take more than one result. */
import type { FormattedExecutionResult } from 'graphql'
import { DONE, streamOf } from '#core/async/stream.ts'
import type { ResultStream } from '#core/streams/result-stream.ts'
import type { FormattedParts } from './parts.ts'

/** Makes the stream of a first result and the parts that follow it; ending it cancels what is still to be fetched. */
export function streamParts(
  first: FormattedExecutionResult,
  parts: FormattedParts,
  onEnd: () => void,
): ResultStream {
  let isFirst = true
  return streamOf<FormattedExecutionResult>(
    async () => {
      if (isFirst) {
        isFirst = false
        return { done: false, value: { ...first, hasNext: true } as FormattedExecutionResult }
      }
      const { done, value } = await parts.next()
      return done ? DONE : { done: false, value: value as FormattedExecutionResult }
    },
    async () => {
      await parts.return(undefined)
      onEnd()
    },
  )
}
