/** What a request holds until its response closes: its place, its client's use of the process. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const held = new WeakMap<FastifyRequest, (() => void)[]>()

const whenClosed = (raw: ServerResponse, callback: () => void) => {
  // A client may have gone while it was found out who it is; then nothing would tell any more.
  if (raw.destroyed || raw.closed) callback()
  else raw.once('close', callback)
}

/** Calls `release`, which may be called twice, when the response closes or the request is let go before. */
export function holdUntilClosed(request: FastifyRequest, reply: FastifyReply, release: () => void): void {
  const releases = held.get(request) ?? []
  held.set(request, [...releases, release])
  whenClosed(reply.raw, release)
}

/** Releases all that a request holds: it stays open, and is counted as a stream from now on. */
export const releaseHeld = (request: FastifyRequest): void => {
  for (const release of held.get(request) ?? []) release()
}
