/**
 * Direct way of small requests to routes that are asked for all the time: the same checks, limits and answers as everywhere,
 * called one after another. Fastify's router, hooks and body streams take as long as a known operation of the graph does. Unusual
 * requests go to Fastify, untouched: the direct way takes only requests that have arrived as a whole.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { withFacts } from '../observability/request-facts.ts'
import { isId } from '../values/id.ts'
import { parseQuery } from '../values/text.ts'
import { readBody, UNCOUNTED_BYTES } from './bodies.ts'
import {
  type Asked,
  DirectReply,
  DirectRequest,
  NOTHING_ASKED,
  type Surroundings,
} from './direct-exchange.ts'
import type { HeadStep, HttpReply, HttpRequest } from './exchange.ts'
import type { AdmitToWork } from './limits.ts'
import { recorderOf } from './metrics.ts'

type Fail = (error: Error, request: HttpRequest, reply: HttpReply) => unknown

/** Route for POST of JSON, or for GET, which is served directly beside its Fastify route. */
export interface DirectRoute {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly config: FastifyContextConfig
  /** Whether a request with this `Accept` header gets an answer as a whole. */
  takes(accept: string | undefined): boolean
  /** Verifies the token, before anything else of a request is read. */
  admit(request: HttpRequest, reply: HttpReply): Promise<void>
  /** Checks the body, if there is one. */
  prepare?(request: HttpRequest): void
  /** Makes the text of the answer. */
  respond(request: HttpRequest, reply: HttpReply): Promise<string>
  /** Responds to a failure of `admit` and `prepare`. */
  refuse: Fail
  /** Responds to every other failure. */
  fail: Fail
}

/** Steps of all requests of a server, which Fastify's hooks take too. */
interface ServerSteps extends Pick<Surroundings, 'log' | 'trustProxy' | 'endOfTurn'> {
  readonly passHead: HeadStep
  readonly admitToWork: AdmitToWork
}

/** Whether requests may go this way: tests close it to compare both. */
export const directWay = { isOpen: true }

const TYPES = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
])

/** Headers of a request that waits for something, or whose body ends where it says itself. */
const hasUnusual = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || headers.expect !== undefined || headers.upgrade !== undefined

const isSmallJson = (headers: IncomingHttpHeaders): boolean => {
  const bytes = Number(headers['content-length'])
  return bytes > 0 && bytes <= UNCOUNTED_BYTES && TYPES.has(headers['content-type'] ?? '')
}

const hasNoBody = (headers: IncomingHttpHeaders): boolean => headers['content-length'] === undefined

/** Route that is served directly. */
class ServedRoute {
  readonly #route: DirectRoute
  readonly #steps: ServerSteps
  readonly #surroundings: Surroundings
  readonly #record: ReturnType<typeof recorderOf>

  constructor(server: FastifyInstance, route: DirectRoute, steps: ServerSteps) {
    this.#route = route
    this.#steps = steps
    const { url, config } = route
    const routeOptions = { url, config, bodyLimit: UNCOUNTED_BYTES }
    this.#surroundings = { ...steps, server, routeOptions }
    this.#record = recorderOf(server, url)
  }

  takes({ method, httpVersion, headers }: IncomingMessage): boolean {
    return (
      method === this.#route.method &&
      httpVersion === '1.1' &&
      (method === 'GET' ? hasNoBody(headers) : isSmallJson(headers)) &&
      !hasUnusual(headers) &&
      this.#route.takes(headers.accept)
    )
  }

  serve({ raw, response, at, asked }: Arrived): void {
    const request = new DirectRequest(raw, at, this.#surroundings, asked)
    const reply = new DirectReply(response, request, this.#surroundings)
    // Nobody else hears of an error of the connection; its close follows.
    response.on('error', () => undefined)
    response.once('close', () => {
      if (response.writableFinished) this.#record?.(request, reply)
    })
    void this.#pass(request, reply)
  }

  async #pass(request: DirectRequest, reply: DirectReply): Promise<void> {
    let { fail } = this.#route
    try {
      if (this.#steps.passHead(request, reply)) return
      fail = this.#route.refuse
      await this.#route.admit(request, reply)
      // The client has left meanwhile.
      if (request.raw.destroyed) return
      if (this.#route.method === 'POST') {
        fail = closing(this.#route.fail)
        request.body = readBody(request, request.raw.read() as Buffer)
      }
    } catch (error) {
      return void fail(error as Error, request, reply)
    }
    await withFacts(request.facts, () => this.#answer(request, reply))
  }

  async #answer(request: DirectRequest, reply: DirectReply): Promise<void> {
    let { fail } = this.#route
    try {
      const turn = this.#steps.admitToWork(request, reply)
      if (turn) await turn
      fail = this.#route.refuse
      this.#route.prepare?.(request)
      fail = this.#route.fail
      reply.send(await this.#route.respond(request, reply))
    } catch (error) {
      fail(error as Error, request, reply)
    }
  }
}

/** Request that waits for the end of the turn in which its head came. */
interface Arrived {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly route: ServedRoute
  readonly asked: Asked
  /** By the clock of `performance.now()`. */
  readonly at: number
}

/** Ends the connection of a body that is no JSON, as Fastify does. */
const closing =
  (fail: Fail): Fail =>
  (error, request, reply) =>
    fail(error, request, reply.header('connection', 'close'))

/** Target of a read without what a router decodes: anything else is Fastify's. */
const PLAIN_TARGET = /^[\w./-]{1,256}(?:\?|$)/

const NO_QUERY = Object.freeze(parseQuery(''))

type Found = Pick<Arrived, 'route' | 'asked'>

/** Routes that one server serves directly. */
class DirectRoutes {
  readonly #server: FastifyInstance
  readonly #steps: ServerSteps
  readonly #posts = new Map<string, ServedRoute>()
  /** Reads by their path, of which a parameter at its end leaves its colon. */
  readonly #reads = new Map<string, { readonly route: ServedRoute; readonly parameter: string | undefined }>()
  #isOpen = true

  constructor(server: FastifyInstance, steps: ServerSteps) {
    this.#server = server
    this.#steps = steps
  }

  add(route: DirectRoute): void {
    if (!this.#isOpen) return
    const served = new ServedRoute(this.#server, route, this.#steps)
    if (route.method === 'POST') this.#posts.set(route.url, served)
    else {
      const [path = '', parameter] = route.url.split(':')
      this.#reads.set(parameter === undefined ? path : `${path}:`, { route: served, parameter })
    }
  }

  find(raw: IncomingMessage): Found | undefined {
    if (raw.method === 'GET') return this.#findRead(raw)
    const route = this.#posts.get(raw.url!)
    return route?.takes(raw) ? { route, asked: NOTHING_ASKED } : undefined
  }

  #findRead(raw: IncomingMessage): Found | undefined {
    const target = raw.url!
    if (!PLAIN_TARGET.test(target)) return undefined
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const at = path.lastIndexOf('/') + 1
    const last = path.slice(at)
    // A route of its own may stand where a parameter does, though none is named like an id.
    const read = this.#reads.get(isId(last) ? `${path.slice(0, at)}:` : path)
    if (!read?.route.takes(raw)) return undefined
    const { route, parameter } = read
    const params = parameter === undefined ? NOTHING_ASKED.params : { [parameter]: last }
    return { route, asked: { params, query: mark < 0 ? NO_QUERY : parseQuery(target.slice(mark + 1)) } }
  }

  close(): void {
    this.#isOpen = false
    this.#posts.clear()
    this.#reads.clear()
  }
}

const opened = new WeakMap<FastifyInstance['server'], DirectRoutes>()

/** Takes the place of Fastify's listener, which gets all other requests; call it once a server's steps are registered. */
export function openDirectWay(server: FastifyInstance, steps: ServerSteps): void {
  const routes = new DirectRoutes(server, steps)
  opened.set(server.server, routes)
  const byFastify = server.server.listeners('request').at(-1) as RequestListener
  // A server that closes answers with 503, which is Fastify's.
  server.addHook('preClose', async () => routes.close())
  server.server.off('request', byFastify)
  let arrived: Arrived[] = []
  const serveArrived = () => {
    const all = arrived
    arrived = []
    for (const one of all) {
      const { raw, response, route } = one
      if (raw.complete && !raw.destroyed) route.serve(one)
      else byFastify(raw, response)
    }
  }
  server.server.on('request', (raw, response) => {
    const found = directWay.isOpen ? routes.find(raw) : undefined
    if (!found) return byFastify(raw, response)
    // Node.js reads the body behind the head: at the end of the turn it is there where both came together.
    if (arrived.length === 0) setImmediate(serveArrived)
    arrived.push({ raw, response, ...found, at: performance.now() })
  })
}

/** Serves a route directly from now on where a request allows it, beside its Fastify route. */
export const serveDirectly = ({ server }: Pick<FastifyInstance, 'server'>, route: DirectRoute): void =>
  opened.get(server)?.add(route)
