/**
 * The log of refusals, which a flood brings by the thousand: one line for each client and reason in ten seconds, with how
 * many there were. Each request has its line in the log of requests anyway.
 */
import type { Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../errors/catalogue.ts'

const QUIET_MS = 10_000
const MAX_KEPT = 1_000

interface Told {
  readonly at: number
  /** Of those since that were not told. */
  refused: number
}

const ofServer = new WeakMap<Server, LRUCache<string, Told>>()

const toldBy = ({ server }: FastifyRequest): LRUCache<string, Told> => {
  const told = ofServer.get(server.server) ?? new LRUCache<string, Told>({ max: MAX_KEPT })
  ofServer.set(server.server, told)
  return told
}

/** Whether the server refused of its own accord, for there is too much to do: nothing has failed. */
export const isRefusal = (error: Error): error is ServiceError =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined

/** Notes a refusal, and tells of it unless the same was told a moment ago. */
export function noteRefusal(request: FastifyRequest, { message }: ServiceError): void {
  const clientId = request.principal?.clientId
  const key = `${clientId} ${message}`
  const told = toldBy(request)
  const last = told.get(key)
  const now = performance.now()
  if (last && now - last.at < QUIET_MS) {
    last.refused += 1
    return
  }
  told.set(key, { at: now, refused: 0 })
  request.log.warn({ clientId, refused: 1 + (last?.refused ?? 0) }, message)
}
