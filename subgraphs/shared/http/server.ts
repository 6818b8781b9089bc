/** The HTTP server that everything hangs on: correlator, JSON bodies, failures and unknown paths in the contract's form. */
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { App } from '../app.ts'
import { registerAccessLog } from './access-log.ts'
import { correlatorOf, registerCorrelator } from './correlator.ts'
import { answerFailure } from './failures.ts'
import { registerJson } from './json.ts'
import { registerOverload } from './overload.ts'
import { registerUnknown } from './unknown.ts'

const BODY_LIMIT = 1024 * 1024

/** A server without routes. */
export function createHttp(app: App): FastifyInstance {
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlator' }),
    bodyLimit: BODY_LIMIT,
    genReqId: correlatorOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    frameworkErrors: answerFailure as never,
  })
  registerCorrelator(server)
  registerAccessLog(server)
  registerOverload(server, app.config.maxInFlight)
  registerJson(server)
  server.setErrorHandler(answerFailure)
  registerUnknown(server)
  return server
}
