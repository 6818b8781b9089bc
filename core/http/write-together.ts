/**
 * Responses that are ready in the same turn of the event loop are written one after the other at its end. Whoever reads
 * them on this machine (a proxy, mostly) is woken once for all of them, where each alone would wake it: that costs as
 * much as executing a query.
 */
import type { FastifyInstance } from 'fastify'

/** Register it last among the `onSend` hooks: a response that is still being encoded is not ready. */
export function registerWriteTogether(server: FastifyInstance): void {
  let turn: Promise<void> | undefined
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    setImmediate(() => {
      turn = undefined
      resolve()
    })
    return promise
  }
  server.addHook('onSend', async () => (turn ??= begin()))
}
