/** Results as JSON texts. Identical subscribers share a result, so its text is written once for all of them. */
import type { FormattedExecutionResult } from 'graphql'
import { DONE, type Stream, streamOf } from '../async/stream.ts'
import { type RequestFacts, withFacts } from '../observability/request-facts.ts'
import type { ResultStream } from './operation.ts'

const texts = new WeakMap<FormattedExecutionResult, string>()

export const resultText = (result: FormattedExecutionResult): string => {
  const known = texts.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  texts.set(result, text)
  return text
}

/** A stream of one result, or of none once it was taken. */
export const streamOfOne = (result: FormattedExecutionResult): ResultStream => {
  let left = true
  return streamOf<FormattedExecutionResult>(
    async () => {
      if (!left) return DONE
      left = false
      return { done: false, value: result }
    },
    () => undefined,
  )
}

/**
 * Sends each result as a `next` message of graphql-transport-ws, as soon as the one before was sent. graphql-ws would
 * write a text of each result for each client.
 * @param id the operation's id on its connection.
 * @param facts of the operation, which record what is sent.
 * @returns a stream without items that ends or fails as the results do, for graphql-ws to report.
 */
export function sendResults(
  results: ResultStream,
  id: string,
  facts: RequestFacts,
  send: (message: string) => Promise<void>,
): Stream<never> {
  const start = `{"id":${JSON.stringify(id)},"type":"next","payload":`
  const sendAll = async () => {
    for (;;) {
      const { done, value } = await results.next()
      if (done) return DONE
      const message = `${start}${resultText(value)}}`
      facts.deliver(Buffer.byteLength(message))
      await send(message)
    }
  }
  return streamOf<never>(
    () => withFacts(facts, sendAll),
    () => results.return(undefined),
  )
}
