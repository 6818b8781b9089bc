/** Errors of attempts say nothing of the address, however the receiver writes it and whatever fails. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callbackOf, readAllowList } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import { attempt } from '#core/webhooks/attempt.ts'
import { redactExcerpt, withoutAddress } from '#core/webhooks/response-excerpt.ts'

/** Percent-encoded, plus signs, quotes and letters of other scripts, a short part, a port. */
const PLACE = '/tenants/Acme%20%26%20S%C3%B6hne/T0/k%2F9-secretpath?api_key=q%22ue%C3%A9ry+secret&v=7x'
const TOKEN = 'callback-token "7321"'

/** Parts that none of the kept texts may show, in whatever case. */
const SECRETS = [
  ...['tenants', 'acme', 'söhne', 's\\u00f6hne', 's%c3%b6hne', 't0', 'k/9', 'k%2f9', 'secretpath'],
  ...['api_key', 'ueéry', 'u00e9', 'ue%c3%a9ry', 'secret', '7x', 'callback-token', '7321'],
]

const expectHidden = (text: string | null, address: URL) => {
  const shown = (text ?? '').toLowerCase()
  const parts = [...SECRETS, address.hostname, address.host, address.port].filter(part => part !== '')
  expect(parts.filter(part => shown.includes(part))).toEqual([])
}

const toHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const toAscii = (text: string) =>
  JSON.stringify(text).replaceAll(
    /[^\0-\x7f]/g,
    one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const ECHOES: [string, (place: string) => string][] = [
  ['raw', place => `Cannot POST ${place}`],
  ['decoded', place => `Cannot POST ${decodeURIComponent(place)}`],
  ['as a form', place => decodeURIComponent(place.replaceAll('+', ' '))],
  ['encoded once more', place => `next=${encodeURIComponent(decodeURIComponent(place))}`],
  ['encoded twice', place => `next=${encodeURIComponent(place)}`],
  ['in HTML', place => `<pre>Cannot POST ${toHtml(place)}</pre><b>${toHtml(decodeURIComponent(place))}</b>`],
  ['in JSON', place => JSON.stringify({ path: place, decoded: decodeURIComponent(place) })],
  ['in ASCII JSON', place => toAscii(decodeURIComponent(place)).replaceAll('/', '\\/')],
  [
    'part by part',
    place =>
      decodeURIComponent(place)
        .split(/[/?&=]/)
        .join(' | '),
  ],
  ['in capitals', place => `NOT FOUND: ${decodeURIComponent(place).toUpperCase()}`],
  ['again and again, broken off', place => `${place} `.repeat(200)],
]

let server: Server
let echo = (place: string): string => place
beforeAll(async () => {
  server = createServer((request, response) => {
    const place = request.url!.replace('/eventNotifications', '')
    const named = `${echo(place)} at ${request.headers.host} by ${request.headers.authorization ?? ''}`
    response.writeHead(500).end(named)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port

/** One attempt at an address, as the deliverer makes it. */
const tryAt = async (address: string, lookup?: unknown) => {
  const dispatcher = createGuardedAgent(
    { allow: readAllowList(['127.0.0.1', 'cannot.be.found']) },
    lookup as never,
  )
  try {
    return await attempt(
      {
        url: callbackOf(address),
        body: '{}',
        headers: { authorization: `Bearer ${TOKEN}` },
        address,
        token: TOKEN,
      },
      { dispatcher, stop: new AbortController().signal, timeLimitMs: 2_000, now: Date.now },
    )
  } finally {
    await dispatcher.destroy()
  }
}

it.each(ECHOES)(
  'HOOK-170 a receiver that echoes the address %s leaves it in no text that is kept',
  async (_, write) => {
    echo = write
    const address = `http://127.0.0.1:${portOf(server)}${PLACE}`
    const { status, error } = await tryAt(address)
    expect(status).toBe(500)
    expect(error).toContain('[…]')
    expectHidden(error, new URL(address))
  },
)

/** A server that does this with each connection. */
const serving = async (serve: (socket: Socket) => unknown) => {
  const tcp = createTcpServer(socket => serve(socket.on('error', () => undefined)))
  await once(tcp.listen(0, '127.0.0.1'), 'listening')
  return { port: portOf(tcp), [Symbol.dispose]: () => void tcp.close() }
}

const FAILURES: [string, string, ((socket: Socket) => unknown) | undefined][] = [
  ['refused', 'http', undefined],
  ['reset', 'http', socket => socket.resetAndDestroy()],
  ['closed', 'http', socket => socket.end()],
  ['no HTTP', 'http', socket => socket.end(`NOTHING ${PLACE}\r\n\r\n`)],
  ['odd headers', 'http', socket => socket.end(`HTTP/1.1 200 OK\r\n${PLACE}\r\n\r\n`)],
  ['too large headers', 'http', socket => socket.end(`HTTP/1.1 200 OK\r\nx: ${PLACE.repeat(500)}\r\n\r\n`)],
  ['no TLS', 'https', socket => socket.end(`HTTP/1.1 400 Bad ${PLACE}\r\n\r\n`)],
]

it.each(FAILURES)(
  'HOOK-171 an attempt that fails (%s) tells nothing of the address',
  async (_, scheme, serve) => {
    using tcp = await serving(serve ?? (() => undefined))
    if (!serve) tcp[Symbol.dispose]()
    const address = `${scheme}://127.0.0.1:${tcp.port}${PLACE}`
    const { status, error } = await tryAt(address)
    expect([status, error]).toEqual([null, expect.stringMatching(/\w/)])
    expectHidden(error, new URL(address))
  },
)

it('HOOK-172 a name that cannot be looked up, or leads to a private address, is not shown', async () => {
  const address = `http://cannot.be.found${PLACE}`
  const fail = (name: string, _: object, done: (error: Error, all: object[]) => void) =>
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: `E ${name}`, hostname: name }), [])
  const { error } = await tryAt(address, fail)
  expect(error).toBe('the attempt failed (UNKNOWN)')
  const inside = (_: string, __: object, done: (error: null, all: object[]) => void) =>
    done(null, [{ address: '10.0.0.1', family: 4 }])
  expectHidden((await tryAt(`https://a.tenants.example${PLACE}`, inside)).error, new URL(address))
})

it('HOOK-173 short parts are hidden where they are words, and ours nowhere', () => {
  const kept = (text: string) => redactExcerpt({ text, isCut: false }, 'https://hooks.example.com/v2/a/7')
  expect(kept('POST /v2/a/7/eventNotifications: a failure of v2 in 2027')).toBe(
    'POST […]: […] failure of […] in 2027',
  )
  expect(kept('eventNotifications are not served')).toBe('eventNotifications are not served')
})

it('HOOK-174 no response is kept for an address of so many parts that the search would take long', () => {
  const address = `https://hooks.example.com/${Array.from({ length: 900 }, (_, index) => index).join('/')}`
  const began = performance.now()
  expect(redactExcerpt({ text: '17 '.repeat(5_000), isCut: false }, address)).toMatch(
    /^the response is not kept/,
  )
  expect(performance.now() - began).toBeLessThan(250)
})

it('HOOK-175 what was kept before is hidden when it is shown; our own words stay', () => {
  const address = `https://hooks.example.com${PLACE}`
  expectHidden(withoutAddress(`Cannot POST ${PLACE}`, 404, address), new URL(address))
  expect(withoutAddress('no answer within 10 s', null, 'https://a.example/answer')).toBe(
    'no answer within 10 s',
  )
  expect(withoutAddress(null, 404, address)).toBeNull()
})
