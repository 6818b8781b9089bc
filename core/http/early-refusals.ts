/**
 * Refusals before a request is looked at, for clients that were refused a moment ago: in a flood most requests are refused, and
 * each costs as much of the processor as is spent on it. Such a client is refused by its token alone for as long as it has no
 * place; as soon as it has one, its requests are served like any other.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { SpareTime } from '../async/spare-time.ts'
import type { Config } from '../config/config.ts'
import { toRest, unavailable } from '../errors/catalogue.ts'
import { CORRELATOR, hasFitCorrelator, requestCorrelator } from './correlator.ts'
import { isProbe } from './observe.ts'
import { hasLeft } from './responses.ts'

const MAX_REMEMBERED = 10_000
/** Time in milliseconds after which a token is looked at again whatever comes, longer than a flood takes to come back. */
const REMEMBERED_MS = 10_000

interface Remembered {
  /** Whether one more request of this client would be refused now. */
  isFull(): boolean
  /** Counts a refusal. */
  count(request: IncomingMessage): void
}

const remembered = new WeakMap<Server, LRUCache<string, Remembered>>()

/** Remembers that a client with a valid token was refused. */
export const rememberRefused = ({ server, headers }: FastifyRequest, client: Remembered): void =>
  void remembered.get(server.server)?.set(headers.authorization!, client)

const REFUSAL = unavailable('Too many requests are being served; try again shortly')
const BODY = JSON.stringify(toRest(REFUSAL))
const HEADERS = {
  ...REFUSAL.headers,
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(BODY)),
}

/** Heads that take more than a glance are looked at in full: those of probes and browsers, and malformed correlators. */
const isPlain = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method !== 'OPTIONS' && headers.origin === undefined && hasFitCorrelator(headers) && !isProbe(url)

/**
 * Part of the event loop's time that writing them may take. Beyond it they wait, and with them the connections that they came
 * over, so that what was accepted goes on.
 */
const WRITING = { share: 0.25, spellMs: 4 }

interface Refused {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Refuses early where that may be done; call it once the server is made. */
export function registerEarlyRefusals(
  { server }: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
): void {
  const [serve] = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  if (!serve) return
  const clients = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS })
  remembered.set(server, clients)
  const headers = corsOrigins.none || corsOrigins.all ? HEADERS : { ...HEADERS, vary: 'Origin' }
  const refusals = new SpareTime<Refused>(({ request, response }) => {
    if (hasLeft(response)) return
    response.writeHead(503, { [CORRELATOR]: requestCorrelator(request), ...headers }).end(BODY)
  }, WRITING)
  server.removeListener('request', serve)
  server.on('request', (request, response) => {
    const { authorization } = request.headers
    const client = authorization !== undefined && clients.size > 0 ? clients.get(authorization) : undefined
    if (!client || !isPlain(request) || !client.isFull()) return serve.call(server, request, response)
    client.count(request)
    refusals.add({ request, response })
  })
}
