/** Another supergraph while the server runs: neither a request nor a subscription notices; a bad one is refused. */
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, print, visit } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { pay } from '#test/core/webhooks/support.ts'
import { createGraph } from '../../support/graph.ts'
import { SEPARATE, type Stack, startStack } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
const file = join(folder, 'supergraph.graphql')
const logLines: string[] = []
const original = readSupergraph()

let stack: Stack
let partner: string

/** As deployments do it: written beside, then renamed into place. */
const put = (sdl: string) => {
  writeFileSync(`${file}.next`, sdl)
  renameSync(`${file}.next`, file)
}

const without = (sdl: string, type: string, field: string): string =>
  print(
    visit(parse(sdl), {
      ObjectTypeDefinition: node =>
        node.name.value === type
          ? { ...node, fields: node.fields?.filter(({ name }) => name.value !== field) }
          : undefined,
    }),
  )

const logged = (message: string) => logLines.filter(line => line.includes(message)).length

/** The next such line; each is waited for, so the tests do not depend on how often the file is looked at. */
const nextLine = async (message: string, act: () => void) => {
  const before = logged(message)
  act()
  await vi.waitFor(() => expect(logged(message)).toBe(before + 1), { timeout: 10_000, interval: 20 })
}

const served = (act: () => void) => nextLine('new supergraph in service', act)
const refused = (act: () => void) => nextLine('new supergraph rejected', act)
const graph = (query: string) => createGraph(stack.address)(query, { token: partner })
const rootFields = async (): Promise<string[]> =>
  (await graph('{ __schema { queryType { fields { name } } } }')).data.__schema.queryType.fields.map(
    ({ name }: { name: string }) => name,
  )

beforeAll(async () => {
  writeFileSync(file, original)
  stack = await startStack({ env: { SUPERGRAPH: file, LOG_LEVEL: 'info' }, logLines })
  partner = await stack.token('demo-partner')
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('LOAD-01 a new supergraph is served from its file, and no request in between is lost', async () => {
  const statuses: number[] = []
  let going = true
  const asking = (async () => {
    while (going) statuses.push((await graph('{ me { id } }')).status)
  })()
  await served(() => put(without(original, 'Query', 'me')))
  expect(await rootFields()).not.toContain('me')
  await served(() => put(original))
  expect(await rootFields()).toContain('me')
  going = false
  await asking
  expect(new Set(statuses)).toEqual(new Set([200, 400]))
})

test('LOAD-02 one that does not load is refused with a log line, and the old one keeps serving', async () => {
  await refused(() => put('type Query { broken: '))
  await refused(() => put('type Query { notFederated: Int }'))
  expect((await graph('{ me { id } }')).data).toEqual({ me: { id: 'demo-partner' } })
  put(original)
})

/** In several processes a subgraph is where the supergraph says. */
test.skipIf(SEPARATE)('LOAD-03 one that names a subgraph which cannot be reached is refused', async () => {
  const stranger = original.replace('@join__graph(name: "activity"', '@join__graph(name: "elsewhere"')
  expect(stranger).not.toBe(original)
  await refused(() => put(stranger))
  expect(logLines.findLast(line => line.includes('new supergraph rejected'))).toContain('elsewhere')
  put(original)
})

const WITH_STATUS = `subscription { paymentEvents {
  cursor eventDetail { paymentId } payment { transactionOperationStatus customer { customerName } } } }`

test('LOAD-04 a subscription goes on over a reload, with every event once', async () => {
  using socket = connect(stack.address, bearer(partner))
  using events = socket.subscribe(WITH_STATUS)
  await vi.waitFor(() => expect(stack.listeners()).toBe(1))
  const paid: string[] = []
  for (const sdl of [without(original, 'Query', 'me'), original, without(original, 'Message', 'smsText')]) {
    paid.push(await pay(stack, partner))
    await served(() => put(sdl))
    paid.push(await pay(stack, partner))
  }
  const results = await events.take(paid.length)
  expect(results.map(({ data }) => data.paymentEvents.eventDetail.paymentId)).toEqual(paid)
  expect(results.flatMap(({ errors = [] }) => errors)).toEqual([])
  await served(() => put(original))
})

test('LOAD-05 one without a field that a running subscription selects is refused, and served once nobody does', async () => {
  const smaller = without(original, 'Customer', 'customerName')
  // A subscription of another test that is just ending would be taken for this one's.
  await vi.waitFor(() => expect(stack.listeners()).toBe(0))
  using socket = connect(stack.address, bearer(partner))
  {
    using events = socket.subscribe(WITH_STATUS)
    await vi.waitFor(() => expect(stack.listeners()).toBe(1))
    await refused(() => put(smaller))
    expect(logLines.findLast(line => line.includes('new supergraph rejected'))).toContain(
      'a running subscription would lose something: Cannot query field',
    )
    const paymentId = await pay(stack, partner)
    expect((await events.next()).data.paymentEvents.eventDetail.paymentId).toBe(paymentId)
  }
  await vi.waitFor(() => expect(stack.listeners()).toBe(0))
  put(original)
  await served(() => put(`${smaller}\n`))
  await served(() => put(original))
})

test('LOAD-06 an address is polled', async () => {
  let answer = original
  const server = createServer((_, response) => void response.end(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const lines: string[] = []
  await using other = await startStack({
    env: {
      SUPERGRAPH: `http://127.0.0.1:${port}/supergraph`,
      SUPERGRAPH_POLL_SECONDS: '1',
      LOG_LEVEL: 'info',
    },
    logLines: lines,
  })
  answer = without(original, 'Query', 'me')
  await vi.waitFor(() => expect(lines.join()).toContain('new supergraph in service'), { timeout: 10_000 })
  const { errors } = await createGraph(other.address)('{ me { id } }', {
    token: await other.token('demo-analyst'),
  })
  expect(errors[0]?.message).toContain('Cannot query field')
  server.close()
  server.closeAllConnections()
})
