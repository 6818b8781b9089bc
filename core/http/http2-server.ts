/**
 * HTTP/2 on the connections of a server that agreed on it by ALPN. Its requests become requests of that server, in the
 * form that HTTP/1.1 has, so that all checks, limits and answers are the same.
 */
import type { IncomingHttpHeaders, Server } from 'node:http'
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerOptions,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'

/** Octets of the headers of a request: as many as Node.js takes in HTTP/1.1. */
const MAX_HEADER_BYTES = 16_384

const OPTIONS: ServerOptions = {
  settings: { maxConcurrentStreams: 100, maxHeaderListSize: MAX_HEADER_BYTES },
  // A client that resets streams as fast as it opens them (CVE-2023-44487) is ended; browsers reset a few at a time.
  streamResetBurst: 500,
  streamResetRate: 50,
}

/** Interval in milliseconds at which idle sessions are looked for. */
const LOOK_MS = 1_000
/** Time in milliseconds that a client may take to close its end of a session that is over. */
const CLOSE_MS = 5_000
/** Time in milliseconds for the rest of a body whose request is answered already. */
const UNREAD_MS = 1_000
/** NGHTTP2_NO_ERROR (RFC 9113 §8.1): the response is whole, and the rest of the body is not wanted. */
const NO_ERROR = 0
/** Last stream of a GOAWAY that only announces the end: no stream is refused yet (RFC 9113 §6.8). */
const NONE_REFUSED = 2 ** 31 - 1

export interface Http2Limits {
  /** Time in milliseconds until the first request of a session. */
  readonly firstMs: number
  /** Time in milliseconds without a request after which a session is ended. */
  readonly idleMs: number
}

interface Session {
  readonly session: ServerHttp2Session
  readonly socket: TLSSocket
  open: number
  hasServed: boolean
  /** Since when it has no open stream, by the monotonic clock. */
  idleSince: number
  /** Cuts its connection where its client does not close it in time. */
  late?: NodeJS.Timeout
}

/** Writes into a request what HTTP/1.1 says otherwise: `Host`, a body of unknown length, and the real connection. */
const toHttp1 = (request: Http2ServerRequest, socket: TLSSocket): void => {
  const { stream } = request
  const fields = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'))
  const headers: IncomingHttpHeaders = Object.fromEntries(fields)
  headers.host ??= request.authority
  if (!stream.endAfterHeaders && headers['content-length'] === undefined)
    headers['transfer-encoding'] = 'chunked'
  // Node's own reads method and path from its pseudo-headers, so that they stay there.
  Object.defineProperty(request, 'headers', { value: headers })
  // Node's own is a proxy of the session, which forgets the client's address when it ends.
  Object.defineProperty(request, 'socket', { value: socket })
}

/** Ends a stream whose client goes on with a body after the response: until then it would hold its place. */
const boundUnread = ({ stream }: Http2ServerRequest, response: Http2ServerResponse): void => {
  response.once('finish', () => {
    if (stream.readableEnded || stream.destroyed) return
    const late = setTimeout(() => stream.close(NO_ERROR), UNREAD_MS).unref()
    stream.once('close', () => clearTimeout(late))
  })
}

/** Events of Node's HTTP/1.1 server that HTTP/2 has too. */
const EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const

/** The sessions of a server. */
export class Http2Sessions {
  readonly #server = createServer(OPTIONS)
  readonly #sessions = new Map<ServerHttp2Session, Session>()
  readonly #limits: Http2Limits
  #taken: TLSSocket | undefined
  #ending = false

  constructor(main: Server, limits: Http2Limits) {
    this.#limits = limits
    this.#server.on('session', session => this.#add(session))
    for (const event of EVENTS)
      this.#server.on(event, (request: Http2ServerRequest, response: Http2ServerResponse) => {
        const known =
          request.stream.session && this.#sessions.get(request.stream.session as ServerHttp2Session)
        if (!known) return request.stream.destroy()
        toHttp1(request, known.socket)
        boundUnread(request, response)
        main.emit(event, request, response)
      })
    const looking = setInterval(() => this.#endIdle(), LOOK_MS).unref()
    main.once('close', () => clearInterval(looking))
  }

  /** Serves a connection. */
  take(socket: TLSSocket): void {
    // The session is reported within this call.
    this.#taken = socket
    this.#server.emit('connection', socket)
    this.#taken = undefined
  }

  /** Tells all clients that the server will stop; what they send until they know is still served. */
  announceEnd(): void {
    for (const { session } of this.#sessions.values()) if (!session.destroyed) session.goaway(0, NONE_REFUSED)
  }

  /** Takes no more streams; each session ends when its last response is sent. */
  end(): void {
    this.#ending = true
    for (const known of this.#sessions.values()) this.#close(known)
  }

  #add(session: ServerHttp2Session): void {
    const socket = this.#taken!
    const known: Session = { session, socket, open: 0, hasServed: false, idleSince: performance.now() }
    this.#sessions.set(session, known)
    session.on('stream', stream => {
      known.open++
      known.hasServed = true
      stream.once('close', () => {
        known.open--
        known.idleSince = performance.now()
        if (this.#ending) this.#close(known)
      })
    })
    session.once('close', () => this.#sessions.delete(session))
    socket.once('close', () => clearTimeout(known.late))
    if (this.#ending) this.#close(known)
  }

  /** Ends a session after its last response. Node.js waits for its client without a limit. */
  #close(known: Session): void {
    known.session.close()
    if (known.open === 0) known.late ??= setTimeout(() => known.socket.destroy(), CLOSE_MS).unref()
  }

  #endIdle(): void {
    const now = performance.now()
    for (const known of this.#sessions.values()) {
      const { open, hasServed, idleSince } = known
      const limitMs = hasServed ? this.#limits.idleMs : this.#limits.firstMs
      if (open === 0 && now - idleSince > limitMs) this.#close(known)
    }
  }
}
