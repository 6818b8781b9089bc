/** One connection to a message centre, from its bind to its end: requests, responses, and the check of a silent peer. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { withTimeout } from '#core/async/deadline.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { SmppBind } from '#core/config/smpp.ts'
import { type Pdu, type PduFields, statusName, statusOf } from '../third-party/smpp.ts'
import { createReadLimit, type ReadLimit, Session } from './session.ts'

/** Thrown where the connection ended before the response: the fate of the request is unknown. */
class LinkEndedError extends Error {
  override name = 'LinkEndedError'
}

/** Takes a delivery of the message centre; resolves with the status of the response, once the delivery is committed. */
export type Receive = (pdu: Pdu) => Promise<number>

export interface Link {
  /** Sends a request and waits for its response while the link lasts. @throws NotSentError or LinkEndedError. */
  request(command: string, fields: PduFields): Promise<Pdu>
  /** Reason why it takes no requests any more while it still reads responses; undefined before. */
  readonly leaving: string | undefined
  /** Resolves with the reason when the link has ended. */
  readonly ended: Promise<string>
  /** Unbinds, and ends the connection within `UNBIND_MS`. */
  close(): Promise<void>
}

const UNBIND_MS = 1_000

/** Most deliveries of a connection in flight, which bounds the memory that a flood needs. */
const MOST_RECEIVED = 500

const VERSION_3_4 = 0x34

const OK = 0

const connect = ({ host, port, tls }: SmppBind): Socket =>
  (tls ? connectTls({ host, port }) : connectTcp({ host, port })).setNoDelay(true)

/** Resolves once the socket may be used. @throws Error where that fails, or takes longer than the timeout. */
const connected = (socket: Socket, { tls, timeoutMs }: SmppBind): Promise<void> => {
  const opened = Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), timeoutMs)
  socket.once(tls ? 'secureConnect' : 'connect', opened.resolve)
  socket.once('error', opened.reject)
  socket.once('close', () => opened.reject(new Error('the connection was closed')))
  return opened.promise.finally(() => clearTimeout(timer))
}

/** Requests that wait for their responses. */
class Requests {
  readonly #waiting = new Set<(reason: Error) => void>()
  /** Called when the last response has come. */
  onEmpty: () => void = () => undefined
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  send(command: string, fields: PduFields): Promise<Pdu> {
    const { promise, resolve, reject } = Promise.withResolvers<Pdu>()
    const respond = (response: Pdu) => {
      this.#waiting.delete(reject)
      resolve(response)
      if (this.isEmpty) this.onEmpty()
    }
    if (!this.#session.request(command, fields, respond))
      return Promise.reject(new NotSentError('the connection has ended'))
    this.#waiting.add(reject)
    return promise
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  end(reason: string): void {
    for (const reject of this.#waiting) reject(new LinkEndedError(reason))
    this.#waiting.clear()
  }
}

const respond = (session: Session, pdu: Pdu, status = OK) =>
  void (status === OK ? session.respond(pdu) : session.refuse(pdu, status))

/** Responds to requests of the message centre. @param onDone called after the response to a delivery. */
const respondTo = (session: Session, receive: Receive, readLimit: ReadLimit, onDone: () => void) => {
  const deliver = async (pdu: Pdu) => {
    if (!readLimit.take()) return respond(session, pdu, statusOf('ESME_RMSGQFUL'))
    const status = await receive(pdu).catch(() => statusOf('ESME_RX_T_APPN'))
    respond(session, pdu, status)
    readLimit.done()
    onDone()
  }
  session.on('deliver_sm', deliver)
  session.on('data_sm', deliver)
  session.on('enquire_link', (pdu: Pdu) => respond(session, pdu))
  session.on('unknown', (pdu: Pdu) => {
    if (!pdu.isResponse) respond(session, pdu, statusOf('ESME_RINVCMDID'))
  })
}

/** Awaits work for a limited time. @throws Error after that time; the work itself goes on. */
export const inTime = <T>(ms: number, work: Promise<T>, what: string): Promise<T> =>
  withTimeout(work, ms, () => {
    throw new Error(`${what} within ${ms} ms`)
  })

const bindTo = async (requests: Requests, { systemId, password, systemType, timeoutMs }: SmppBind) => {
  const bound = requests.send('bind_transceiver', {
    system_id: systemId,
    password,
    system_type: systemType,
    interface_version: VERSION_3_4,
  })
  const { status } = await inTime(timeoutMs, bound, 'no response to the bind')
  if (status !== OK) throw new Error(`the message centre refused the bind (${statusName(status)})`)
}

/** Sends `enquire_link` after a silence of the other side; ends the link where no response comes. */
const watch = (session: Session, requests: Requests, bind: SmppBind, end: (reason: string) => void) => {
  let heardAt = performance.now()
  session.on('pdu', () => {
    heardAt = performance.now()
  })
  let asking = false
  const ask = async () => {
    if (asking || performance.now() - heardAt < bind.enquireMs) return
    asking = true
    await inTime(bind.timeoutMs, requests.send('enquire_link', {}), 'no response to enquire_link').catch(
      error => end(error.message),
    )
    asking = false
  }
  const timer = setInterval(ask, Math.min(bind.enquireMs, bind.timeoutMs) / 2)
  return () => clearInterval(timer)
}

const UNBOUND = 'the message centre unbound'

const bindOver = async (socket: Socket, bind: SmppBind, receive: Receive): Promise<Link> => {
  const session = new Session(socket)
  const requests = new Requests(session)
  const readLimit = createReadLimit(session, MOST_RECEIVED)
  const ended = Promise.withResolvers<string>()
  const settled = Promise.withResolvers<void>()
  let leaving: string | undefined
  const end = (reason: string) => {
    ended.resolve(reason)
    settled.resolve()
    requests.end(reason)
    readLimit.end()
    session.destroy()
  }
  const look = () => {
    if (leaving !== undefined && requests.isEmpty && readLimit.size === 0) settled.resolve()
  }
  requests.onEmpty = look
  // Responses may follow the unbind: a message whose response is not read would be sent twice.
  const leave = async (pdu: Pdu) => {
    if (leaving !== undefined) return
    leaving = UNBOUND
    look()
    await inTime(bind.timeoutMs, settled.promise, 'not all responses came').catch(() => undefined)
    const sent = Promise.withResolvers<void>()
    if (session.respond(pdu, {}, sent.resolve))
      await inTime(UNBIND_MS, sent.promise, 'the response was not read').catch(() => undefined)
    end(UNBOUND)
  }
  // After an error a session reads no more.
  session.on('error', (error: Error) => end(error.message))
  session.on('close', () => end('the connection was closed'))
  session.on('unbind', leave)
  respondTo(session, receive, readLimit, look)
  await bindTo(requests, bind).catch(error => {
    end(error.message)
    throw error
  })
  const unwatch = watch(session, requests, bind, end)
  void ended.promise.then(unwatch)
  return {
    request: (command, fields) => requests.send(command, fields),
    get leaving() {
      return leaving
    },
    ended: ended.promise,
    async close() {
      await inTime(UNBIND_MS, requests.send('unbind', {}), 'no response to unbind').catch(() => undefined)
      end('unbound')
    },
  }
}

/**
 * Connects and binds.
 * @param signal aborts connecting and binding; it does not close a link that was opened.
 * @throws Error with the reason, without secrets.
 */
export async function openLink(bind: SmppBind, receive: Receive, signal: AbortSignal): Promise<Link> {
  const socket = connect(bind)
  const giveUp = () => void socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await connected(socket, bind)
    return await bindOver(socket, bind, receive)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
