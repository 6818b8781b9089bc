/**
 * `POST /charging/callbacks`: an outside charging system reports the state of an order (`schema/charging.openapi.yaml`),
 * signed as in Standard Webhooks 1.0.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChargeProgress } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { invalid, notFound, ServiceError } from '#core/errors/catalogue.ts'
import { acknowledge } from '#core/http/limits.ts'
import { decodeBody } from '#core/values/text.ts'
import { signatureHeaders } from '#core/webhooks/message.ts'
import { progressOf, readState } from '../messages.ts'
import { recordReport } from './record.ts'

const PATH = '/charging/callbacks'
const BODY_LIMIT = 16 * 1024

/** The largest difference between the sender's clock and ours; it bounds for how long a message can be replayed. */
const TOLERANCE_SECONDS = 300

type Headers = Readonly<Record<string, string | string[] | undefined>>

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Tells whether the message is signed with the secret.
 * @param now milliseconds since 1970.
 */
function isSigned(headers: Headers, body: Buffer, secret: string, now: number): boolean {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    name => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return false
  const { 'webhook-signature': expected } = signatureHeaders(id, body, [secret], Number(timestamp) * 1_000)
  return signature.split(' ').some(one => isSame(one, expected!))
}

/** The order and its progress; undefined for a body that the document does not describe. */
function readCallback(text: string): { id: string; progress: ChargeProgress } | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const state = readState(body)
  return state && { id: state.transactionId, progress: progressOf(state) }
}

const handle = async ({ db, log, charging }: App, request: FastifyRequest, secret: string): Promise<void> => {
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  if (!isSigned(request.headers, bytes, secret, Date.now()))
    throw new ServiceError('UNAUTHORIZED', 'The signature does not hold, or is too old')
  acknowledge(request)
  const reported = readCallback(decodeBody(bytes))
  if (!reported) throw invalid('the body is not what schema/charging.openapi.yaml describes as State')
  const { id, progress } = reported
  const found = await recordReport(db, id, progress)
  if (found === 'unknown') throw notFound(`order ${id}`)
  if (found === 'contradicted')
    log.error(
      { transactionId: id, outcome: progress.outcome },
      'the charging system contradicts its earlier report',
    )
  charging.reported.emit()
}

/** Registers the path. Any process may receive a callback; a process that settles the kind finalizes the order. */
export function registerCallbacks(server: FastifyInstance, app: App, secret: string): void {
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
