/** What the bodies of requests under way may hold of memory, by client and in all: a megabyte each adds up. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ByteBudget, type ByteLimits } from '../async/byte-budget.ts'
import { unavailable } from '../errors/catalogue.ts'
import { knownPrincipalOf } from './authenticate.ts'
import { holdUntilClosed } from './until-closed.ts'

const KIB = 1024

/** A body that says it is no longer is not counted: as many as may be in flight hold next to nothing. */
const UNCOUNTED = 16 * KIB

/** Of the bodies of one client's requests; those without a token share one. */
const LIMITS: ByteLimits = { perHolder: 32 * KIB * KIB, inAll: 128 * KIB * KIB }

/** What a body declares to hold, up to what its route reads of one; a body in chunks declares nothing. */
const declaredBytes = ({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit

const tooLarge = () =>
  unavailable('The large request bodies under way are as many as fit; send this one again shortly')

/**
 * Counts each body that is not small from before it is read until its request is answered, and refuses with 503 what
 * does not fit.
 */
export function registerBodyBytes(server: FastifyInstance): void {
  const budget = new ByteBudget(LIMITS)
  server.addHook('preParsing', async (request, reply) => {
    const bytes = declaredBytes(request)
    if (bytes <= UNCOUNTED) return
    const release = budget.take(knownPrincipalOf(request)?.clientId ?? '', bytes)
    if (!release) throw tooLarge()
    holdUntilClosed(request, reply, release)
  })
}
