/** What the bodies of requests under way may hold of memory, by client and in all: a megabyte each adds up. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../errors/catalogue.ts'
import { knownPrincipalOf } from './authenticate.ts'
import { holdUntilClosed } from './until-closed.ts'

export interface BodyByteLimits {
  /** A body that says it is no longer is not counted: as many as may be in flight hold next to nothing. */
  readonly uncounted: number
  /** Bytes of the bodies of one client's requests; those without a token share one. */
  readonly perClient: number
  readonly inAll: number
}

const KIB = 1024

export const BODY_BYTE_LIMITS: BodyByteLimits = {
  uncounted: 16 * KIB,
  perClient: 32 * KIB * KIB,
  inAll: 128 * KIB * KIB,
}

/** What a body declares to hold, up to what its route reads of one; a body in chunks declares nothing. */
const declaredBytes = ({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit

const tooLarge = () =>
  unavailable('The large request bodies under way are as many as fit; send this one again shortly')

/** Bytes in use, by client and in all. */
class ByteUse {
  readonly #byClient = new Map<string, number>()
  readonly #limits: BodyByteLimits
  #inAll = 0

  constructor(limits: BodyByteLimits) {
    this.#limits = limits
  }

  /** Returns a function that gives them back, which may be called twice. @throws ServiceError SERVICE_UNAVAILABLE. */
  enter(client: string, bytes: number): () => void {
    const { perClient, inAll } = this.#limits
    if (this.#of(client) + bytes > perClient || this.#inAll + bytes > inAll) throw tooLarge()
    this.#add(client, bytes)
    let held = true
    return () => {
      if (held) this.#add(client, -bytes)
      held = false
    }
  }

  #of(client: string): number {
    return this.#byClient.get(client) ?? 0
  }

  #add(client: string, bytes: number): void {
    const total = this.#of(client) + bytes
    this.#inAll += bytes
    if (total > 0) this.#byClient.set(client, total)
    else this.#byClient.delete(client)
  }
}

/**
 * Counts each body that is not small from before it is read until its request is answered, and refuses with 503 what
 * does not fit.
 */
export function registerBodyBytes(server: FastifyInstance, limits: BodyByteLimits = BODY_BYTE_LIMITS): void {
  const use = new ByteUse(limits)
  server.addHook('preParsing', async (request, reply) => {
    const bytes = declaredBytes(request)
    if (bytes <= limits.uncounted) return
    holdUntilClosed(request, reply, use.enter(knownPrincipalOf(request)?.clientId ?? '', bytes))
  })
}
