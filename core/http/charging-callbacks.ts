/** `POST /charging/callbacks`: an outside charging system tells what became of an order (`schema/charging.openapi.yaml`). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSigned, readCallback } from '#connectors/http/callbacks.ts'
import { noteTold } from '#connectors/http/orders/told.ts'
import type { App } from '../context/app.ts'
import { invalid, notFound, ServiceError } from '../errors/catalogue.ts'
import { decodeBody } from '../values/text.ts'
import { acknowledge } from './strangers.ts'

const PATH = '/charging/callbacks'
const BODY_LIMIT = 16 * 1024

const handle = async ({ db, log, charging }: App, request: FastifyRequest, secret: string): Promise<void> => {
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  if (!isSigned(request.headers, bytes, secret, Date.now()))
    throw new ServiceError('UNAUTHORIZED', 'The signature does not hold, or is too old')
  acknowledge(request)
  const told = readCallback(decodeBody(bytes))
  if (!told) throw invalid('the body is not what schema/charging.openapi.yaml describes as State')
  const { id, progress } = told
  const found = await noteTold(db, id, progress)
  if (found === 'unknown') throw notFound(`order ${id}`)
  if (found === 'contradicted')
    log.error(
      { transactionId: id, outcome: progress.outcome },
      'the charging system contradicts what it told before',
    )
  charging.told.emit()
}

/** Registers the path where callbacks can be signed; whichever process is told, one that settles the kind concludes. */
export function registerChargingCallbacks(server: FastifyInstance, app: App): void {
  const { charging } = app.config
  const secret = charging?.callbackSecret
  if (secret === undefined) return
  server.register(async scope => {
    // The signature is over the bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, bytes, done) =>
      done(null, bytes),
    )
    scope.post(PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      await handle(app, request, secret)
      return reply.code(204).send()
    })
  })
}
