/** Simulated message centre: the SMPP server with its connections, its book, and the admin server by which a test reads and changes both. */

import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { json } from 'node:stream/consumers'
import { createSmppServer, type Session } from '#connectors/smpp/session.ts'
import { type Pdu, statusOf } from '#connectors/third-party/smpp.ts'
import { type Book, createBook, entryOf, nextIds, textsOf } from './book.ts'
import { changeFaults, type Faults, happens } from './faults.ts'
import { createReceipts, type Receipts, STATES } from './receipts.ts'

interface Centre {
  readonly book: Book
  readonly faults: Faults
  readonly receipts: Receipts
  /** Bound connections by their account. */
  readonly bound: Map<Session, string>
  /** Number of messages in the present second, over all connections. */
  readonly rate: { second: number; count: number }
}

const BINDS = ['bind_transceiver', 'bind_transmitter', 'bind_receiver']

const bind = ({ book, faults, receipts, bound }: Centre, session: Session, pdu: Pdu) => {
  if (faults.refuseBind) return void session.refuse(pdu, statusOf(faults.refuseBind))
  book.binds++
  bound.set(session, String(pdu.fields['system_id']))
  session.respond(pdu, { system_id: 'simulator' })
  receipts.flush()
}

const isTooFast = ({ faults, rate }: Centre): boolean => {
  if (faults.perSecond === 0) return false
  const second = Math.floor(Date.now() / 1_000)
  if (rate.second !== second) Object.assign(rate, { second, count: 0 })
  return ++rate.count > faults.perSecond
}

/** Status with which the message is refused; 0 where it is accepted. */
const refusal = (centre: Centre): number => {
  const { book, faults } = centre
  if (isTooFast(centre) || happens(faults, 'throttle')) {
    book.throttledAt.push(Date.now())
    return statusOf('ESME_RTHROTTLED')
  }
  if (happens(faults, 'queueFull')) return statusOf('ESME_RMSGQFUL')
  return happens(faults, 'refuse') ? statusOf(faults.refuseWith) : 0
}

/** Takes a message; returns the response, or undefined where there is none. */
const take = (centre: Centre, session: Session, pdu: Pdu): (() => void) | undefined => {
  const { book, faults, receipts, bound } = centre
  if (happens(faults, 'cutUntaken')) return void session.destroy()
  if (happens(faults, 'hangUntaken')) return undefined
  const status = refusal(centre)
  if (status !== 0) return () => session.refuse(pdu, status)
  const entry = entryOf(pdu.fields, nextIds(faults), bound.get(session)!)
  book.entries.push(entry)
  if (happens(faults, 'cutTaken')) {
    session.destroy()
    receipts.taken(entry)
    return undefined
  }
  if (faults.earlyReceipts) receipts.taken(entry)
  else if (faults.responseMs > 0) setTimeout(() => receipts.taken(entry), faults.responseMs + 1)
  else setImmediate(() => receipts.taken(entry))
  if (happens(faults, 'hangTaken')) return undefined
  const message_id = happens(faults, 'emptyIds') ? '' : entry.messageId
  return () => session.respond(pdu, { message_id })
}

/** Serves one client. */
function serveSession(centre: Centre, session: Session): void {
  const { book, faults, receipts, bound } = centre
  let outstanding = 0
  const submit = (pdu: Pdu) => {
    if (!bound.has(session)) return void session.refuse(pdu, statusOf('ESME_RINVBNDSTS'))
    outstanding++
    book.mostOutstanding = Math.max(book.mostOutstanding, outstanding)
    const respond = take(centre, session, pdu)
    const answer = () => {
      outstanding--
      respond?.()
    }
    if (faults.responseMs > 0) setTimeout(answer, faults.responseMs)
    else answer()
  }
  const query = (pdu: Pdu) => {
    if (faults.query === 'silent') return
    if (faults.query === 'none') return void session.refuse(pdu, statusOf('ESME_RINVCMDID'))
    if (!faults.query) return void session.refuse(pdu, statusOf('ESME_RQUERYFAIL'))
    session.respond(pdu, { message_id: pdu.fields['message_id'], message_state: STATES[faults.query] ?? 7 })
  }
  for (const command of BINDS) session.on(command, (pdu: Pdu) => bind(centre, session, pdu))
  session.on('submit_sm', submit)
  session.on('query_sm', query)
  session.on('enquire_link', (pdu: Pdu) => {
    if (!faults.silent) session.respond(pdu)
  })
  session.on('unbind', (pdu: Pdu) => {
    bound.delete(session)
    session.respond(pdu)
  })
  session.on('error', () => session.destroy())
  session.on('close', () => {
    bound.delete(session)
    receipts.ended(session)
  })
}

interface CentreOptions {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly faults: Faults
}

interface RunningCentre {
  readonly smppPort: number
  readonly adminPort: number
  stop(): Promise<void>
}

type Action = (body: unknown) => unknown

/** Unbinds, and ends the connection after the response. */
const unbind = (session: Session) => void session.request('unbind', {}, () => session.destroy())

/** Sends receipts of unknown messages to each connection, as many as requested, all at once. */
const flood = (sessions: Iterable<Session>, { receipts = 1_000, state = 'DELIVRD' }) => {
  for (const session of sessions)
    for (let number = 1; number <= receipts; number++)
      session.request('deliver_sm', {
        esm_class: 0x04,
        source_addr: '96891000001',
        short_message: Buffer.from(`id:flood-${number} stat:${state}`, 'latin1'),
      })
  return { receipts }
}

const actionsOf = (centre: Centre, sessions: ReadonlySet<Session>): Record<string, Action> => ({
  'GET /book': () => centre.book,
  'GET /texts': () => textsOf(centre.book),
  'GET /faults': () => centre.faults,
  'PATCH /faults': body => changeFaults(centre.faults, body as Record<string, unknown>),
  'DELETE /book': () => Object.assign<Book, Book>(centre.book, createBook()),
  'POST /cut': () => {
    for (const session of sessions) session.destroy()
    return { cut: sessions.size }
  },
  'POST /unbind': () => {
    for (const session of sessions) unbind(session)
    return { unbound: sessions.size }
  },
  'POST /flood': body => flood(sessions, (body ?? {}) as { receipts?: number; state?: string }),
})

const admin =
  (actions: Record<string, Action>) => async (request: IncomingMessage, response: ServerResponse) => {
    const action = actions[`${request.method} ${request.url}`]
    const reply = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!action) return reply(404, { message: `there is ${Object.keys(actions).join(', ')}` })
    try {
      const hasBody = Number(request.headers['content-length'] ?? 0) > 0
      reply(200, action(hasBody ? await json(request) : undefined))
    } catch (error) {
      reply(400, { message: (error as Error).message })
    }
  }

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })

/** Starts a message centre; it serves until it is stopped. */
export async function startCentre({ host, port, adminPort, faults }: CentreOptions): Promise<RunningCentre> {
  const book = createBook()
  const bound = new Map<Session, string>()
  const boundTo = (systemId: string) => [...bound.keys()].filter(session => bound.get(session) === systemId)
  const receipts = createReceipts(book, faults, boundTo)
  const centre: Centre = { book, faults, receipts, bound, rate: { second: 0, count: 0 } }
  const sessions = new Set<Session>()
  const smpp = createSmppServer(session => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    serveSession(centre, session)
  })
  const http = createHttp(admin(actionsOf(centre, sessions)))
  return {
    smppPort: await listen(smpp, port, host),
    adminPort: await listen(http, adminPort, host),
    async stop() {
      receipts.stop()
      for (const session of sessions) session.destroy()
      http.closeAllConnections()
      await Promise.all([smpp, http].map(server => new Promise(done => server.close(done))))
    },
  }
}
