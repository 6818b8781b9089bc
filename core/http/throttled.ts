/** Counts of what the limits of a server have refused. */
import type { Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ClientMetrics, ThrottleLimit } from '../observability/client-metrics.ts'

const counters = new WeakMap<Server, Pick<ClientMetrics, 'throttled'>>()

/** Counts a server's refusals from now on. */
export const countRefusalsOf = (server: Server, metrics: Pick<ClientMetrics, 'throttled'>): void =>
  void counters.set(server, metrics)

/** Counts a refusal by a limit of the process. */
export const countThrottled = ({ server }: Pick<FastifyRequest, 'server'>, limit: ThrottleLimit): void =>
  counters.get(server.server)?.throttled(limit)
