/** One `Host` header, no less and no more (RFC 9112 §3.2): proxies and servers must not read two of them differently. */
import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors/catalogue.ts'

const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host')
    .length

/** Refuses everything else with 400. */
export function registerHost(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw }) => {
    const hosts = countHosts(raw.rawHeaders)
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1'))
      throw invalid('the request must have one Host header')
  })
}
