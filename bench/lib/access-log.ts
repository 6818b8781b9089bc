/** The log of the other sides: one pino line for each request, as ours at the default `LOG_LEVEL`. */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'

/** Fields of our lines about a request. */
interface Line {
  readonly correlator?: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
}

const log = pino({ base: undefined })

/** Writes the line of one request, to standard output. */
export const writeLine = (line: Line): void => log.info(line, 'request')

/** Fastify's own logger would write two lines a request. */
export function registerAccessLog(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { id: correlator, method, url: path } = request
    writeLine({ correlator, method, path, status: reply.statusCode, ms: reply.elapsedTime })
    done()
  })
}
