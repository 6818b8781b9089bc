/** Streams without async generator functions, whose `return` waits for the next item first. */

export type Stream<T> = AsyncGenerator<T, undefined, undefined>

export const DONE = { done: true, value: undefined } as const

/**
 * Makes the stream of what `next` gives until it is done, fails, or is ended; `end` is called once, whichever it is.
 */
export function streamOf<T>(
  next: () => Promise<IteratorResult<T, undefined>>,
  end: () => unknown,
): Stream<T> {
  let ended = false
  const finish = async () => {
    if (ended) return DONE
    ended = true
    await end()
    return DONE
  }
  return {
    async next() {
      if (ended) return DONE
      try {
        const result = await next()
        return result.done ? await finish() : result
      } catch (error) {
        await finish()
        throw error
      }
    },
    return: finish,
    async throw(error) {
      await finish()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await finish()
    },
  }
}

/** Makes the stream of what `map` makes of each item; ending it ends the original, and `onEnd` is called once. */
export const mapStream = <From, To>(
  stream: Stream<From>,
  map: (item: From) => Promise<To>,
  onEnd: () => void = () => undefined,
): Stream<To> =>
  streamOf<To>(
    async () => {
      const { done, value } = await stream.next()
      return done ? DONE : { done: false, value: await map(value) }
    },
    () => {
      onEnd()
      return stream.return(undefined)
    },
  )
