/** Slots, uses and memory that a request holds until its response closes. */
import type { HttpReply, HttpRequest } from './exchange.ts'
import { hasLeft } from './responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Functions that release all that it holds: slots, use of the process, memory of its body. */
    held?: (() => void)[]
  }
}

/** Releases all that a request holds, since it goes on as a stream, which has limits of its own. */
export const releaseSlot = ({ held = [] }: HttpRequest): void => {
  for (const release of held) release()
}

/** Calls `release`, possibly twice, when the response closes or the request is released before. */
export function holdUntilClosed(request: HttpRequest, { raw }: HttpReply, release: () => void): void {
  // The client may have left during authentication; then no event would follow.
  if (hasLeft(raw)) release()
  else if (request.held) request.held.push(release)
  else {
    request.held = [release]
    raw.on('close', () => releaseSlot(request))
  }
}
