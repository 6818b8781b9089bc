/**
 * The program behind the proxies of `ops/proxy/`, through TLS: each is started with its file, in which only addresses,
 * paths and the times of silence differ.
 */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { withTimeout } from '#core/async/deadline.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { createRest } from '#test/support/rest.ts'
import { tokenAt } from '#test/support/steady-load.ts'
import { bearer, connect, subscribeSse } from '#test/support/subscribe.ts'
import { KINDS, type RunningProxy, SILENCE_SECONDS, startProxy } from './proxies.ts'

const LONG = { timeout: 90_000 }
const NAMES = KINDS.map(({ name }) => name)
const PAYMENTS = 'subscription { paymentEvents { eventDetail { paymentId } } }'

/** Resolves with what a client waits for, at most ten seconds. */
const inTime = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, 10_000, () => {
    throw new Error('Nothing has come within ten seconds')
  })

/** An address that no client of this test has (RFC 5737). */
const FORGED = '203.0.113.9'
/** Headers of a client that claims to be another, and to have asked another host. */
const FORGERIES = { 'x-forwarded-for': FORGED, 'x-forwarded-host': 'forged.example', 'x-real-ip': FORGED }

describe.skipIf(KINDS.length === 0)('behind the proxies of ops/proxy', () => {
  const opened = new AsyncDisposableStack()
  const proxies = new Map<string, RunningProxy>()
  let program: ServerProcess
  let partner: string
  let portal: string

  beforeAll(async () => {
    program = await startProcess({ DATA_DIR: 'memory:', TRUST_PROXY: '1' })
    opened.defer(() => program.kill())
    for (const kind of KINDS) proxies.set(kind.name, opened.use(await startProxy(kind, program.address)))
    const trusted = getCACertificates('default')
    opened.defer(() => setDefaultCACertificates(trusted))
    setDefaultCACertificates([...trusted, ...[...proxies.values()].map(({ authority }) => authority)])
    partner = await tokenAt(addressOf(NAMES[0]!))
    portal = await tokenAt(addressOf(NAMES[0]!), 'demo-portal')
  }, LONG.timeout)
  afterAll(() => opened.disposeAsync(), LONG.timeout)

  const addressOf = (name: string): string => proxies.get(name)!.address

  /** An address of this machine for the client of one proxy. */
  const clientOf = (name: string, net: number): string => `127.0.${net}.${10 + NAMES.indexOf(name)}`

  const pay = async (name: string): Promise<string> => {
    const { paymentTransaction } = postpaidBilling.body()
    const call = { token: partner, body: { paymentTransaction } }
    const { status, body } = await createRest(addressOf(name))('POST', postpaidBilling.path, call)
    expect({ name, status }).toEqual({ name, status: 201 })
    return body.paymentId
  }

  const ask = async (address: string, token: string, query: string) => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify({ query }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
    return (await response.json()) as any
  }

  /** Asks the graph over HTTP/2 from one of this machine's addresses. */
  const askHttp2 = async (name: string, localAddress: string, token: string, query: string) => {
    const session = connectHttp2(addressOf(name), { localAddress } as object)
    try {
      await inTime(once(session, 'connect'))
      const stream = session.request({
        ...{ ':method': 'POST', ':path': '/graphql', 'content-type': 'application/json' },
        ...{ authorization: `Bearer ${token}`, ...FORGERIES },
      })
      stream.end(JSON.stringify({ query }))
      const [[head], body] = await inTime(Promise.all([once(stream, 'response'), text(stream)]))
      return { status: head[':status'], protocol: session.alpnProtocol, body: JSON.parse(body) }
    } finally {
      session.destroy()
    }
  }

  /** Opens a WebSocket as a browser's page does, and resolves with the status of its handshake. */
  const upgrade = async (address: string, origin: string): Promise<number> => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      origin,
    })
    socket.on('error', () => undefined)
    const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number)
    const status = await inTime(Promise.race([once(socket, 'open').then(() => 101), refused]))
    socket.terminate()
    return status
  }

  /**
   * Opens a WebSocket over HTTP/2 (RFC 8441), as browsers do where it is offered, and resolves with the status of its
   * handshake; undefined where it is not offered.
   */
  const upgradeHttp2 = async (address: string): Promise<number | undefined> => {
    const session = connectHttp2(address)
    try {
      const [{ enableConnectProtocol }] = await inTime(once(session, 'remoteSettings'))
      if (!enableConnectProtocol) return undefined
      const stream = session.request({
        ...{ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/graphql', origin: address },
        ...{ 'sec-websocket-protocol': 'graphql-transport-ws', 'sec-websocket-version': '13' },
      })
      const [head] = await inTime(once(stream, 'response'))
      return head[':status']
    } finally {
      session.destroy()
    }
  }

  it.each(NAMES)('PROXY-20 MUST post and read a payment by REST: %s', async name => {
    const id = await pay(name)
    const read = await createRest(addressOf(name))('GET', `${postpaidBilling.path}/${id}`, { token: partner })
    expect(read.status).toBe(200)
    expect(read.body.paymentId).toBe(id)
  })

  it.each(NAMES)(
    'PROXY-21 MUST pass on every body that is too large, and the program’s refusal of it: %s',
    async name => {
      const { paymentTransaction } = postpaidBilling.body()
      const raw = JSON.stringify({ paymentTransaction, filler: 'x'.repeat(1_500_000) })
      for (let time = 0; time < 20; time++) {
        const call = { token: partner, raw }
        const { status, body } = await createRest(addressOf(name))('POST', postpaidBilling.path, call)
        expect({ status, message: body.message }).toEqual({
          status: 400,
          message: 'the request body must not be larger than 1 MiB',
        })
      }
    },
  )

  it.each(NAMES)('PROXY-22 MUST answer the graph over HTTP/1.1 and HTTP/2: %s', async name => {
    const query = `{ payment(paymentId: "${await pay(name)}") { paymentId } }`
    const { data, errors } = await ask(addressOf(name), partner, query)
    expect(errors).toBeUndefined()
    const { status, protocol, body } = await askHttp2(name, '127.0.0.1', partner, query)
    expect({ status, protocol, data: body.data }).toEqual({ status: 200, protocol: 'h2', data })
  })

  it.each(NAMES)(
    'PROXY-23 MUST tell the program the address that clients called, no forged one: %s',
    async name => {
      const address = addressOf(name)
      const page = await fetch(address, { headers: { accept: 'text/html', ...FORGERIES } })
      const shown = await page.text()
      expect(shown).toContain(address)
      expect(shown).not.toContain(FORGERIES['x-forwarded-host'])
      expect(await upgrade(address, address)).toBe(101)
      expect(await upgrade(address, 'https://elsewhere.example')).toBe(403)
    },
  )

  it.each(NAMES)('PROXY-24 MUST open WebSockets over HTTP/2 where it offers them: %s', async name => {
    const offered = name === 'haproxy' ? [200] : [200, undefined]
    expect(offered).toContain(await upgradeHttp2(addressOf(name)))
  })

  it(
    'PROXY-25 MUST tell the program the address of each client, whatever the client claims',
    LONG,
    async () => {
      for (const name of NAMES) {
        expect((await askHttp2(name, clientOf(name, 1), 'wrong', '{ me { id } }')).status).toBe(401)
        const socket = new WebSocket(
          `${addressOf(name).replace('http', 'ws')}/graphql`,
          'graphql-transport-ws',
          {
            headers: FORGERIES,
            localAddress: clientOf(name, 2),
          },
        )
        await inTime(once(socket, 'open'))
        socket.send(JSON.stringify({ type: 'connection_init', payload: bearer('wrong') }))
        await inTime(once(socket, 'close'))
      }
      const refused = async (): Promise<string[]> => {
        const query = '{ auditLog(filter: { action: SIGN_IN_REFUSED }) { nodes { details } } }'
        const { data } = await ask(program.address, portal, query)
        return data.auditLog.nodes
          .map(({ details }: { details: string }) => JSON.parse(details).network)
          .toSorted()
      }
      const clients = [1, 2].flatMap(net => NAMES.map(name => clientOf(name, net)))
      await expect.poll(refused, { timeout: 20_000, interval: 200 }).toEqual(clients)
    },
  )

  it(
    `PROXY-26 MUST keep WebSockets and event streams open through ${SILENCE_SECONDS} seconds of silence`,
    LONG,
    async () => {
      using closing = new DisposableStack()
      const streams = NAMES.flatMap(name => {
        const address = addressOf(name)
        const socket = closing.use(connect(address, bearer(partner)))
        const events = closing.use(subscribeSse(`${address}/graphql/stream`, partner, PAYMENTS))
        return [
          { of: `WebSocket ${name}`, incoming: closing.use(socket.subscribe(PAYMENTS)) },
          { of: `SSE ${name}`, incoming: events },
        ]
      })
      await delay((SILENCE_SECONDS + 2) * 1_000)
      // HAProxy has checked the program several times by now, and must still take it for well.
      const paid = (await Promise.all(NAMES.map(pay))).toSorted()
      const received = async ({ of, incoming }: (typeof streams)[number]) => {
        const events = await inTime(incoming.take(paid.length)).catch(error => error as Error)
        if (events instanceof Error) return { of, ids: events.message }
        return { of, ids: events.map(({ data }) => data.paymentEvents.eventDetail.paymentId).toSorted() }
      }
      expect(await Promise.all(streams.map(received))).toEqual(streams.map(({ of }) => ({ of, ids: paid })))
    },
  )

  it('PROXY-27 MUST answer 502, 503 or 504 for a program that has stopped', LONG, async () => {
    expect(await program.stop()).toBe(0)
    for (const name of NAMES) {
      const { status } = await fetch(`${addressOf(name)}/health/ready`, {
        signal: AbortSignal.timeout(10_000),
      })
      expect([502, 503, 504], name).toContain(status)
    }
  })
})
