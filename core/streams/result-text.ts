/** Results as JSON texts. Identical subscribers share a result, so its text is written once for all of them. */
import type { FormattedExecutionResult } from 'graphql'
import { DONE, type Stream, streamOf } from '../async/stream.ts'
import type { ResultStream } from './operation.ts'

const texts = new WeakMap<FormattedExecutionResult, string>()

export const resultText = (result: FormattedExecutionResult): string => {
  const known = texts.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  texts.set(result, text)
  return text
}

/**
 * Sends each result as a `next` message of graphql-transport-ws, as soon as the one before was sent. graphql-ws would
 * write a text of each result for each client.
 * @param id the operation's id on its connection.
 * @returns a stream without items that ends or fails as the results do, for graphql-ws to report.
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
