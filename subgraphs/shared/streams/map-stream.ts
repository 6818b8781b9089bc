/** Streams made of streams. Written by hand: `return` of an async generator function waits for the next event first. */

type Stream<T> = AsyncGenerator<T, undefined, undefined>

/** The stream of what `map` makes of each item; ending it ends the original, and `onEnd` is called once. */
export function mapStream<From, To>(
  stream: Stream<From>,
  map: (item: From) => Promise<To>,
  onEnd: () => void = () => undefined,
): Stream<To> {
  let ended = false
  const end = () => {
    if (!ended) onEnd()
    ended = true
  }
  const finish = async (): Promise<{ done: true; value: undefined }> => {
    end()
    await stream.return(undefined)
    return { done: true, value: undefined }
  }
  return {
    async next() {
      try {
        const { done, value } = await stream.next()
        if (!done) return { done: false, value: await map(value) }
      } catch (error) {
        await finish()
        throw error
      }
      return finish()
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
