/** From where a browser may open a WebSocket: the server's own pages, whatever stands before it, and listed ones. */
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { mayConnect } from '#core/streams/websocket.ts'

const judge = (headers: Record<string, string>, env: Record<string, string> = {}) => {
  const request = { headers, socket: { remoteAddress: '10.0.0.1' } } as object
  return mayConnect(request as IncomingMessage, readConfig({ DEMO: '0', ...env }))
}

const OWN = { host: 'api.test', origin: 'https://api.test' }
const BEHIND = { host: '10.0.0.9:4000', origin: 'https://api.test', 'x-forwarded-host': 'api.test' }

it.each([
  ['no browser', { host: 'api.test' }, {}, true],
  ['its own page, TLS ended before it', OWN, {}, true],
  ['its own page, the port being the default', { ...OWN, host: 'api.test:443' }, {}, true],
  ['another port', { ...OWN, origin: 'https://api.test:8443' }, {}, false],
  ['another host', { ...OWN, origin: 'https://api.test.elsewhere.test' }, {}, false],
  ['a page of no origin', { ...OWN, origin: 'null' }, {}, false],
  ['a listed one', { ...OWN, origin: 'https://portal.test' }, { CORS_ORIGINS: 'https://portal.test' }, true],
  ['behind a proxy that is not trusted', BEHIND, {}, false],
  ['behind a proxy that is trusted', BEHIND, { TRUST_PROXY: '10.0.0.0/8' }, true],
])('ORIGIN-01 MUST judge %s', (_, headers, env, allowed) => {
  expect(judge(headers, env as Record<string, string>)).toBe(allowed)
})
