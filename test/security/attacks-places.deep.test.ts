/** Requests that are begun and never finished: those who hold places must not keep others out. */
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { audit } from '../support/audit.ts'
import { postpaidBilling } from '../support/fixtures/postpaid-billing.ts'
import { note } from './support/figures.ts'
import { type Held, hold, openSilentSocket } from './support/holding.ts'
import { type ProbedServer, startProbed } from './support/probed-server.ts'

const PLACES = 20
const STREAMS = 10
/** How long a request that does not go on may hold what it holds; the server's own limit is two seconds. */
const PATIENCE = { timeout: 12_000, interval: 100 }

let server: ProbedServer
let token: string
beforeAll(async () => {
  const env = { MAX_IN_FLIGHT: String(PLACES), MAX_STREAMS: String(STREAMS), REQUEST_TIMEOUT_MS: '2000' }
  server = await startProbed(env)
  token = await server.token()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const statusOf = async (path: string, init?: RequestInit) => (await fetch(server.address + path, init)).status
const honest = () =>
  statusOf('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"query":"{ __typename }"}',
  })

const half = (path: string, authorization: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${authorization}Content-Length: 1000\r\n\r\n{"a":`

/** Runs with connections open, and closes them whatever comes of it. */
const withHeld = async (what: string, bytes: string, count: number, run: (held: Held) => Promise<void>) => {
  const held = await hold(server.address, bytes, count)
  const done = await run(held).then(
    () => true,
    error => error as Error,
  )
  held.close()
  note({ part: 'attack', what, cases: count, faults: done === true ? 0 : 1 })
  if (done !== true) throw done
}

const PATHS = ['/graphql', '/nowhere', '/oauth2/accesstoken', postpaidBilling.path]

audit('SECURITY-PLACE', [
  ...PATHS.map(
    (path, index) =>
      [
        `0${index + 1}`,
        `MUST keep nobody out by half requests without a token: ${path}`,
        () =>
          withHeld(`half requests without a token to ${path}`, half(path, ''), 3 * PLACES, async () => {
            expect(await statusOf('/health/live')).toBe(200)
            expect(await honest()).toBe(200)
          }),
      ] as const,
  ),
  [
    '05',
    'MUST answer health while every place is held by half requests with a token',
    () =>
      withHeld(
        'half requests with a token',
        half('/graphql', `Authorization: Bearer ${token}\r\n`),
        3 * PLACES,
        async () => {
          expect(await statusOf('/health/live')).toBe(200)
          expect(await statusOf('/metrics')).not.toBe(503)
        },
      ),
  ],
  [
    '06',
    'MUST end a half request in bounded time',
    () =>
      withHeld('half requests, ended', half('/graphql', `Authorization: Bearer ${token}\r\n`), PLACES, held =>
        vi.waitFor(() => expect(held.open()).toBe(0), PATIENCE),
      ),
  ],
  [
    '07',
    'MUST end half a head in bounded time, and serve others meanwhile',
    () =>
      withHeld('half heads', 'POST /graphql HTTP/1.1\r\nHost: a\r\nX-', 3 * PLACES, async () => {
        expect(await statusOf('/health/live')).toBe(200)
        expect(await honest()).toBe(200)
      }),
  ],
  [
    '08',
    'MUST keep nobody out by sockets that never say who they are',
    async () => {
      const sockets = await Promise.all(
        Array.from({ length: STREAMS }, () => openSilentSocket(server.address)),
      )
      const own = await openSilentSocket(server.address)
      const opened = own.opened
      for (const one of [...sockets, own]) one.close()
      note({ part: 'attack', what: 'silent sockets', cases: STREAMS, faults: opened ? 0 : 1 })
      expect(opened).toBe(true)
    },
  ],
  ...[
    '[]',
    '{"variables":5}',
    '{"query":"subscription { paymentEvents { cursor } }","variables":[]}',
    '{"query":"{"}',
    'null',
  ].map(
    (body, index) =>
      [
        `1${index}`,
        `MUST end an event stream for a malformed request: ${body}`,
        async () => {
          const response = await fetch(`${server.address}/graphql/stream`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'text/event-stream',
              authorization: `Bearer ${token}`,
            },
            body,
            signal: AbortSignal.timeout(5_000),
          })
          await response.text()
          note({ part: 'attack', what: `event stream for ${body}`, cases: 1, faults: 0 })
        },
      ] as const,
  ),
  [
    '20',
    'MUST answer HEAD wherever it answers GET',
    async () => {
      for (const path of ['/graphql/stream', '/graphql', '/health/live', postpaidBilling.path]) {
        const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
        const signal = AbortSignal.timeout(5_000)
        const query = '?query=subscription%7BpaymentEvents%7Bcursor%7D%7D'
        const { status } = await fetch(server.address + path + query, { method: 'HEAD', headers, signal })
        expect(status === 503 || status < 500, `${path}: ${status}`).toBe(true)
      }
    },
  ],
])
