/** One connection to a message centre, from its bind to its end: requests with their responses, and whether the other side is there. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { NotSentError } from '#core/charging/charging.ts'
import type { SmppBind } from '#core/config/smpp.ts'
import { type Pdu, type PduFields, statusName, statusOf } from '../third-party/smpp.ts'
import { createIntake, type Intake } from './intake.ts'
import { Session } from './session.ts'

/** What became of the request is not known: the connection ended before its response. */
export class LinkEndedError extends Error {
  override name = 'LinkEndedError'
}

/** Takes what the message centre delivers; resolves with the status to respond with, once that is noted for good. */
export type Receive = (pdu: Pdu) => Promise<number>

export interface Link {
  /** @throws NotSentError, or LinkEndedError; however late a response is, it is waited for as long as the link lasts. */
  request(command: string, fields: PduFields): Promise<Pdu>
  /** Why it takes no requests any more while it reads what is due; undefined while it takes some. */
  readonly leaving: string | undefined
  /** Resolves with the reason when the link has ended. */
  readonly ended: Promise<string>
  /** Unbinds, and ends the connection; a moment later in any case. */
  close(): Promise<void>
}

const UNBIND_MS = 1_000

/** Receipts of a connection that are taken and not noted yet: a flood needs no more memory. */
const MOST_RECEIVED = 500

const VERSION_3_4 = 0x34

const OK = 0

const connect = ({ host, port, tls }: SmppBind): Socket =>
  (tls ? connectTls({ host, port }) : connectTcp({ host, port })).setNoDelay(true)

/** Resolves once the socket may be used. @throws Error where it cannot be, or not in time. */
const connected = (socket: Socket, { tls, timeoutMs }: SmppBind): Promise<void> => {
  const opened = Promise.withResolvers<void>()
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), timeoutMs)
  socket.once(tls ? 'secureConnect' : 'connect', opened.resolve)
  socket.once('error', opened.reject)
  socket.once('close', () => opened.reject(new Error('the connection was closed')))
  return opened.promise.finally(() => clearTimeout(timer))
}

/** The responses that are waited for. */
class Requests {
  readonly #waiting = new Set<(reason: Error) => void>()
  /** Called when there are none any more. */
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

/** Responds to what the message centre asks for. @param onDone called when a delivery has been responded to. */
const respondTo = (session: Session, receive: Receive, intake: Intake, onDone: () => void) => {
  const deliver = async (pdu: Pdu) => {
    if (!intake.take()) return respond(session, pdu, statusOf('ESME_RMSGQFUL'))
    const status = await receive(pdu).catch(() => statusOf('ESME_RX_T_APPN'))
    respond(session, pdu, status)
    intake.done()
    onDone()
  }
  session.on('deliver_sm', deliver)
  session.on('data_sm', deliver)
  session.on('enquire_link', (pdu: Pdu) => respond(session, pdu))
  session.on('unknown', (pdu: Pdu) => {
    if (!pdu.isResponse) respond(session, pdu, statusOf('ESME_RINVCMDID'))
  })
}

/** @throws Error where nothing came in time; the response is still waited for elsewhere. */
export async function inTime<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${ms} ms`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

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

/** Asks whether the other side is there after a while without a word from it; ends the link where no response comes. */
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
  const intake = createIntake(session, MOST_RECEIVED)
  const ended = Promise.withResolvers<string>()
  const settled = Promise.withResolvers<void>()
  let leaving: string | undefined
  const end = (reason: string) => {
    ended.resolve(reason)
    settled.resolve()
    requests.end(reason)
    intake.end()
    session.destroy()
  }
  const look = () => {
    if (leaving !== undefined && requests.isEmpty && intake.size === 0) settled.resolve()
  }
  requests.onEmpty = look
  // Responses may be on their way behind the unbind: a message whose response is not read would be sent twice.
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
  respondTo(session, receive, intake, look)
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
 * @param signal gives that up; a link that is there is closed by whoever has it.
 * @throws Error saying why not, without any secret.
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
