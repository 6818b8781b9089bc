/** A simulated message centre: the SMPP server, its book, and the admin server by which a test reads and changes both. */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { json } from 'node:stream/consumers'
import { createSmppServer, type Session } from '#connectors/smpp/session.ts'
import { type Book, createBook, textsOf } from './book.ts'
import { changeFaults, type Faults } from './faults.ts'
import { createReceipts } from './receipts.ts'
import { type Centre, serveSession } from './session.ts'

export interface CentreOptions {
  readonly host: string
  readonly port: number
  readonly adminPort: number
  readonly faults: Faults
}

export interface RunningCentre {
  readonly smppPort: number
  readonly adminPort: number
  stop(): Promise<void>
}

type Action = (body: unknown) => unknown

/** Unbinds in order: says so, and ends the connection once that is responded to. */
const unbind = (session: Session) => void session.request('unbind', {}, () => session.destroy())

/** Receipts of messages that nobody has sent, as many as are asked for, written to each connection at once. */
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

/** Starts one; it serves until it is stopped. */
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
