/**
 * The results of a subscription as messages of graphql-transport-ws. They are written here instead of by graphql-ws,
 * which would make a text of each result for each client: identical subscribers share their results, and so the text.
 */
import { DONE, type Stream, streamOf } from '../async/stream.ts'
import type { ResultStream } from './operation.ts'
import { resultText } from './result-text.ts'

/**
 * Sends each result as a `next` message of the operation `id`, the next when the one before was sent.
 * @returns a stream that gives nothing, and ends or fails as the results do: what is left for graphql-ws to tell.
 */
export function sendResults(
  results: ResultStream,
  id: string,
  send: (message: string) => Promise<void>,
): Stream<never> {
  const start = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  const sendAll = async () => {
    for (;;) {
      const { done, value } = await results.next()
      if (done) return DONE
      await send(`${start}${resultText(value)}}`)
    }
  }
  return streamOf<never>(sendAll, () => results.return(undefined))
}
