/** Pages of another server in a real browser: of a known origin, and of one that is not. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { CHROMIUM, launch, openPage } from './chromium.ts'

const [payments] = FIXTURES

let stack: Stack
let browser: Browser
let portal: Server

/** The same server, under the name that the list has and under one that it has not. */
const originOf = (host: string) => `http://${host}:${(portal.address() as AddressInfo).port}`

interface Calls {
  readonly address: string
  readonly token: string
  readonly path: string
  readonly body: unknown
}

/** The requests of a portal's page, each with its outcome. */
const callAll = async ({ address, token, path, body }: Calls) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (where: string, sent: unknown, more = {}) =>
    fetch(address + where, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(sent) })
  const orRefused = <T>(work: Promise<T>) => work.catch((error: Error) => error.name)
  const connect = () =>
    new Promise<string>(done => {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
      const init = { type: 'connection_init', payload: { authorization: headers.authorization } }
      socket.onopen = () => socket.send(JSON.stringify(init))
      socket.onmessage = ({ data }) => done(JSON.parse(String(data)).type)
      socket.onerror = () => done('refused')
    })
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-portal',
    client_secret: 'demo-portal-secret',
  })
  return {
    token: await orRefused(
      fetch(`${address}/oauth2/accesstoken`, { method: 'POST', body: form }).then(one => one.status),
    ),
    graph: await orRefused(send('/graphql', { query: '{ __typename }' }).then(one => one.json())),
    stream: await orRefused(
      send('/graphql/stream', { query: '{ __typename }' }, { accept: 'text/event-stream' }).then(one =>
        one.text(),
      ),
    ),
    created: await orRefused(send(path, body, { 'x-correlator': 'page-1' }).then(one => one.status)),
    again: await orRefused(
      send(path, body, { 'x-correlator': 'page-2' }).then(one => [
        one.status,
        one.headers.get('x-correlator'),
        one.headers.get('location')?.startsWith(path),
      ]),
    ),
    socket: await connect(),
  }
}

const callFrom = async (host: string) => {
  await using opened = await openPage(browser, originOf(host), '/')
  const token = await stack.token('demo-partner')
  const calls = { address: stack.address, token, path: payments!.path, body: payments!.body() }
  return await opened.page.evaluate(callAll, calls)
}

describe.skipIf(!CHROMIUM)('CORS', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    stack = await startStack({ env: { CORS_ORIGINS: 'https://portal.test,http://localhost:*' } })
    portal = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>A portal</p>'),
    )
    await once(portal.listen(0, '127.0.0.1'), 'listening')
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    portal?.close()
    await stack?.[Symbol.asyncDispose]()
  })

  it('BROWSER-10 MUST let a page of a known origin get a token, ask, stream, post and connect', async () => {
    expect(await callFrom('localhost')).toEqual({
      token: 200,
      graph: { data: { __typename: 'Query' } },
      stream: expect.stringContaining('"__typename":"Query"'),
      created: 201,
      again: [400, 'page-2', true],
      socket: 'connection_ack',
    })
  })

  it('BROWSER-11 MUST let a page of another origin do nothing of it', async () => {
    const before = await stack.app.db.payment.count()
    expect(await callFrom('127.0.0.1')).toEqual({
      token: 'TypeError',
      graph: 'TypeError',
      stream: 'TypeError',
      created: 'TypeError',
      again: 'TypeError',
      socket: 'refused',
    })
    expect(await stack.app.db.payment.count()).toBe(before)
  })
})
