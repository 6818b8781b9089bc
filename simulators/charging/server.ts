/** The simulator's HTTP server: the protocol of `schema/charging.openapi.yaml`, its book and its faults. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Book, Entry } from './book.ts'
import { type Call, checkFaults, type Faults, WIRE_FAULTS } from './faults.ts'
import { type Orders, performing, Refusal, readOrder } from './orders.ts'

interface SimulatorDependencies {
  readonly book: Book
  readonly orders: Orders
  readonly faults: Faults
  readonly token: string
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const MAX_BODY = 64 * 1024
const LONG = 1024 * 1024
const DEFAULT_MS = 1_000

const answer = (
  { response }: Exchange,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const stateOf = ({ transactionId, outcome, reason }: Entry) => ({ transactionId, outcome, reason })

const readBody = async ({ request }: Exchange): Promise<unknown> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BODY) throw new Refusal(400, 'INVALID_ORDER', 'the body is too long')
  }
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw new Refusal(400, 'INVALID_ORDER', 'the body is no JSON')
  }
}

const CALLS: Readonly<Record<string, Call>> = {
  'PUT ': 'submit',
  'GET ': 'inquire',
  'POST /capture': 'capture',
  'POST /cancellation': 'cancel',
  'POST /reversal': 'reverse',
}

const ORDER_PATH = /^\/orders\/([0-9a-fA-F-]{36})(\/[a-z]+)?$/

/** Behaviour of each fault on the wire; `perform` executes the call and returns the entry of the order. */
const WIRE: Record<
  (typeof WIRE_FAULTS)[number],
  (
    exchange: Exchange,
    perform: () => Promise<Entry>,
    options: { ms?: number; status?: number },
  ) => Promise<unknown> | unknown
> = {
  latency: async (exchange, perform, { ms = DEFAULT_MS }) => {
    await delay(ms, undefined, { ref: false })
    answer(exchange, 200, stateOf(await perform()))
  },
  error: (exchange, _, { status = 500 }) =>
    answer(exchange, status, { code: 'SIMULATED', message: 'as chosen' }),
  'error-after': async (exchange, perform, { status = 500 }) => {
    await perform()
    answer(exchange, status, { code: 'SIMULATED', message: 'as chosen' })
  },
  hang: () => undefined,
  cut: ({ response }) => response.destroy(),
  lost: async ({ response }, perform) => {
    await perform()
    response.destroy()
  },
  late: async (exchange, perform, { ms = DEFAULT_MS }) => {
    const entry = await perform()
    await delay(ms, undefined, { ref: false })
    answer(exchange, 200, stateOf(entry))
  },
  later: async ({ response }, perform, { ms = DEFAULT_MS }) => {
    response.destroy()
    await delay(ms, undefined, { ref: false })
    await perform()
  },
  nonsense: async ({ response }, perform) => {
    await perform()
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
  },
  other: async (exchange, perform) => {
    const state = stateOf(await perform())
    answer(exchange, 200, { ...state, transactionId: '00000000-0000-7000-8000-000000000000' })
  },
  endless: async (exchange, perform) => {
    const state = stateOf(await perform())
    answer(exchange, 200, { ...state, padding: '-'.repeat(LONG) })
  },
  redirect: exchange => answer(exchange, 307, {}, { location: exchange.request.url! }),
  throttle: (exchange, _, { ms = DEFAULT_MS }) =>
    answer(
      exchange,
      429,
      { code: 'TOO_MANY', message: 'as chosen' },
      { 'retry-after': String(Math.ceil(ms / 1_000)) },
    ),
  twice: async (exchange, perform) => {
    const [entry] = await Promise.all([perform(), perform()])
    answer(exchange, 200, stateOf(entry))
  },
}

const serveOrder = async (
  { orders, faults }: SimulatorDependencies,
  exchange: Exchange,
  call: Call,
  id: string,
) => {
  const order = call === 'submit' ? readOrder(await readBody(exchange)) : orders.bodyOf(id)
  const perform = performing(orders, id, order)[call]
  const fault = faults.pick(WIRE_FAULTS, call, order)
  if (fault) await WIRE[fault.fault as (typeof WIRE_FAULTS)[number]](exchange, perform, fault)
  else answer(exchange, 200, stateOf(await perform()))
}

const serveFaults = async ({ faults }: SimulatorDependencies, exchange: Exchange) => {
  const { method } = exchange.request
  if (method === 'PUT') {
    const body = await readBody(exchange)
    try {
      faults.set(checkFaults(body))
    } catch (error) {
      throw new Refusal(400, 'INVALID_FAULTS', (error as Error).message)
    }
  }
  if (method === 'DELETE') faults.set([])
  answer(exchange, 200, faults.all)
}

/** Most entries of a page of the book. */
const MOST_LISTED = 200

const holderOf = ({ order, bookedOn }: Entry) => {
  const name = bookedOn ?? (order['operation'] === 'payBill' ? 'accountNumber' : 'mobileNumber')
  return { [name]: order[name] }
}

/** Order as `listOrders` has it: of one that moved nothing, the outcome alone. */
const listed = (entry: Entry) => {
  const { transactionId, outcome, order } = entry
  if (outcome !== 'done' && outcome !== 'reversed') return { transactionId, outcome }
  const { operation, amount, currency, points } = order
  return { transactionId, outcome, operation, holder: holderOf(entry), amount, currency, points }
}

const pageOf = ({ book }: SimulatorDependencies, query: URLSearchParams) => {
  const [after, limit] = [query.get('after') ?? '', Number(query.get('limit'))]
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED)
    throw new Refusal(400, 'INVALID_LIMIT', `limit must be a whole number from 1 to ${MOST_LISTED}`)
  const following = book
    .list()
    .filter(({ transactionId }) => transactionId > after.toLowerCase())
    .toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1))
  return { orders: following.slice(0, limit).map(listed), more: following.length > limit }
}

/**
 * Reads the whole book as the simulator keeps it, with the number of times that each order was sent since the start.
 */
const listOf = ({ book, orders }: SimulatorDependencies) =>
  book.list().map(entry => ({ ...entry, arrivals: orders.arrivalsOf(entry.transactionId) }))

const serve = async (parts: SimulatorDependencies, exchange: Exchange): Promise<void> => {
  const { method, url, headers } = exchange.request
  if (headers.authorization !== `Bearer ${parts.token}`)
    throw new Refusal(401, 'UNAUTHORIZED', 'the token is not the one of CHARGING_TOKEN')
  const [path, query] = (url ?? '').split('?')
  const [, id, step = ''] = ORDER_PATH.exec(path!) ?? []
  const call = CALLS[`${method} ${step}`]
  if (id && call) return serveOrder(parts, exchange, call, id.toLowerCase())
  const parameters = new URLSearchParams(query)
  if (path === '/orders' && method === 'GET')
    return answer(exchange, 200, parameters.has('limit') ? pageOf(parts, parameters) : listOf(parts))
  if (path === '/faults') return serveFaults(parts, exchange)
  throw new Refusal(404, 'NOT_FOUND', 'there is no such path')
}

const refuse = (exchange: Exchange, error: unknown) => {
  if (exchange.response.headersSent || exchange.response.destroyed) return
  if (error instanceof Refusal) answer(exchange, error.status, { code: error.code, message: error.message })
  else answer(exchange, 500, { code: 'SERVER_ERROR', message: String(error) })
}

/** Makes the server, which does not listen yet. */
export const createSimulator = (parts: SimulatorDependencies): Server =>
  createServer((request, response) => {
    const exchange = { request, response }
    serve(parts, exchange).catch(error => refuse(exchange, error))
  })
