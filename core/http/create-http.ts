/** The HTTP server that everything hangs on: correlator, JSON bodies, failures and unknown paths in the contract's form. */
import type { IncomingMessage, ServerOptions } from 'node:http'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import type { App } from '../context/app.ts'
import { parseQuery } from '../values/query.ts'
import { registerBeforeToken } from './before-token.ts'
import { registerBodies } from './bodies.ts'
import { registerCompression } from './compression.ts'
import { correlatorOf } from './correlator.ts'
import { sendFailure } from './error-responses.ts'
import { registerLoadShedding } from './load-shedding.ts'
import { refuseExpectations, refuseOnSocket } from './parser-refusals.ts'
import { refuseChanges } from './read-only.ts'
import { createRequestLog, registerAccessLog } from './request-log.ts'
import { registerWriteTogether } from './write-together.ts'

const BODY_LIMIT = 1024 * 1024
/** How long a body may still come that nobody reads, because its request was refused. */
const UNREAD_MS = 1_000
/** How often connections are looked at that send nothing. */
const LOOK_MS = 1_000

/** An upgrade to anything else is not taken up: the request is answered as if it had not asked (RFC 9110 §7.8). */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** `Host` is checked by `before-token.ts`, whose answer has the contract's form. */
const httpOptions = (timeoutMs: number): ServerOptions => ({
  headersTimeout: timeoutMs,
  connectionsCheckingInterval: Math.min(LOOK_MS, timeoutMs),
  requireHostHeader: false,
  shouldUpgradeCallback: isWebSocket,
})

/** A server without routes. */
export function createHttp(app: App): FastifyInstance {
  const { readOnly, requestTimeoutMs, trustProxy } = app.config
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    childLoggerFactory: createRequestLog,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlator' }),
    bodyLimit: BODY_LIMIT,
    http: httpOptions(requestTimeoutMs),
    requestTimeout: requestTimeoutMs + UNREAD_MS,
    trustProxy,
    genReqId: correlatorOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    frameworkErrors: sendFailure,
    clientErrorHandler: refuseOnSocket,
  })
  for (const name of ['principal', 'cameAt', 'held']) server.decorateRequest(name)
  refuseExpectations(server.server)
  registerAccessLog(server, app.log)
  registerBeforeToken(server, app.config)
  // Before the time is limited in which an answer is read: what is read is what was compressed.
  registerCompression(server)
  registerBodies(server, requestTimeoutMs)
  registerWriteTogether(server)
  registerLoadShedding(server, app.config)
  server.setErrorHandler(sendFailure)
  if (readOnly) refuseChanges(server)
  return server
}
