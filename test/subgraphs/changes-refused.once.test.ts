/** READ_ONLY=1 over a database that can be written: each change is refused by the process itself, whichever way it comes. */
import type { GraphQLResolveInfo } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#core/data/db.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { createGraph } from '../support/graph.ts'
import { openTestApp, type TestApp } from '../support/stack.ts'
import { bearer, connect } from '../support/subscribe.ts'

const REASON = 'This server only reads (READ_ONLY=1): send changes to one that writes'
/** A token changes nothing; of the graph, mutations alone are changes. */
const NO_CHANGE = ['/oauth2/accesstoken', '/graphql', '/graphql/stream']
const SAFE = ['GET', 'HEAD', 'OPTIONS']

let opened: TestApp
let server: RunningServer
let address: string

beforeAll(async () => {
  opened = await openTestApp({ env: { LOG_LEVEL: 'silent' } })
  server = await createAllInOne({ ...opened.app, config: { ...opened.app.config, readOnly: true } })
  address = await server.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server?.stop()
  await opened?.[Symbol.asyncDispose]()
})

/** Each route with its methods, of the tree that the router prints: a level is four characters of indentation. */
const routes = (): { path: string; methods: string[] }[] => {
  const above: string[] = []
  return server.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indentation, label] = /^([│ ]*[├└]── )(.*)$/.exec(line) ?? []
      if (indentation === undefined) return []
      const level = indentation.length / 4 - 1
      const [, part, methods] = /^(.*?)(?: \(([^)]*)\))?(?: \{.*\})?$/.exec(label!)!
      above.splice(level, Number.POSITIVE_INFINITY, part!)
      return methods ? [{ path: above.join(''), methods: methods.split(', ') }] : []
    })
}

const rowCounts = async () => {
  const { db } = opened.app
  return Promise.all([db.payment.count(), db.client.count(), db.signingKey.count()])
}

it('NOCHANGE-01 MUST refuse with the reason each method that is not safe, on each path there is', async () => {
  const tokens = await Promise.all(['demo-partner', 'demo-portal'].map(id => opened.token(id)))
  const changing = routes().flatMap(({ path, methods }) =>
    methods
      .filter(method => !SAFE.includes(method) && !NO_CHANGE.includes(path))
      .map(method => ({ method, path })),
  )
  expect(changing.map(({ path }) => path)).toContain('/postpaid-billing/v1/payments')
  expect(changing.length).toBeGreaterThanOrEqual(5)
  for (const { method, path } of changing) {
    const answers = []
    for (const token of tokens) {
      const response = await fetch(`${address}${path.replace(/:\w+/g, 'x')}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      expect([403, 503]).toContain(response.status)
      answers.push(await response.json())
    }
    expect(answers, `${method} ${path}`).toContainEqual(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: REASON }),
    )
  }
})

it('NOCHANGE-02 MUST refuse each mutation of each subgraph', () => {
  const fields = server.services.flatMap(({ schema }) =>
    Object.values(schema.getMutationType()?.getFields() ?? {}),
  )
  expect(fields.map(({ name }) => name)).toContain('createPayment')
  expect(fields.length).toBeGreaterThanOrEqual(10)
  for (const { name, resolve } of fields) {
    const context = { caller: { principal: { role: 'partner' } } }
    const call = () => resolve!({}, {}, context, {} as GraphQLResolveInfo)
    expect(call, name).toThrow(ServiceError)
    expect(call, name).toThrow(REASON)
  }
})

it('NOCHANGE-03 MUST refuse over HTTP and WebSocket, and leave nothing behind', async () => {
  const before = await rowCounts()
  const mutation = 'mutation { rotateWebhookSecret { secret } }'
  const token = await opened.token('demo-partner')
  const { errors } = await createGraph(address)(mutation, { token })
  expect(errors).toMatchObject([{ message: REASON, extensions: { code: 'SERVICE_UNAVAILABLE' } }])
  using socket = connect(address, bearer(token))
  using results = socket.subscribe(mutation)
  expect((await results.next()).errors).toMatchObject([{ message: REASON }])
  expect(await rowCounts()).toEqual(before)
})

it('NOCHANGE-04 MUST read on, sign tokens, and refuse a token that is wrong before all else', async () => {
  const found = await fetch(`${address}/postpaid-billing/v1/customers?phoneNumber=91000002`, {
    headers: { authorization: `Bearer ${await opened.token('demo-partner')}` },
  })
  expect(found.ok).toBe(true)
  const authorization = `Basic ${Buffer.from('demo-partner:demo-partner-secret').toString('base64')}`
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const issued = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization },
    body,
  })
  expect(issued.status).toBe(200)
  const refused = await fetch(`${address}/postpaid-billing/v1/payments`, { method: 'POST', body: '{}' })
  expect(refused.status).toBe(401)
})

it('NOCHANGE-05 MUST have the database refuse what a way to it forgot', async () => {
  const { config } = opened.app
  const database = await openDatabase({ ...config, readOnly: true })
  const work = database.db.signingKey.deleteMany()
  await expect(work).rejects.toThrow(/read-only/)
  const writing = database.db.$transaction(tx => tx.$executeRaw`DELETE FROM books.book`)
  await expect(writing).rejects.toThrow(/read-only/)
  await database.close()
})
