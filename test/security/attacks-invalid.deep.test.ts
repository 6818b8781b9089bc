/** Operations that are not valid hold up nobody else, at the gateway and at the port of a subgraph, one or many at once. */
import { connect as connectSocket } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { audit } from '../support/audit.ts'
import { bearer, connect } from '../support/subscribe.ts'
import { ask, attackAll, MAX_DELAY_MS, measure, type Request } from './support/attack.ts'
import { note } from './support/figures.ts'
import { invalidOperations, unfitEntities, unfitVariables } from './support/invalid-operations.ts'
import { type ProbedServer, startProbed } from './support/probed-server.ts'

/** As many tokens as an operation may have, there and here. */
const AT_GATEWAY = 1_990
const AT_SUBGRAPH = 9_900

let gateway: ProbedServer
let subgraph: ProbedServer
beforeAll(async () => {
  gateway = await startProbed()
  subgraph = await startProbed({}, [], ['subgraphs/main.ts', 'postpaid-billing'])
})
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]()
  await subgraph?.[Symbol.asyncDispose]()
})

const named = (bodies: readonly [string, object][], token: string): [string, Request][] =>
  bodies.map(([what, body]) => [what, { token, raw: JSON.stringify(body) }])

const operations = (tokens: number) =>
  invalidOperations(tokens).map(([what, query]): [string, object] => [what, { query }])

/** Another text each time, so that nothing is known of it. */
const unknownFields = (seed: number) =>
  `{ ${Array.from({ length: AT_GATEWAY - 10 }, (_, index) => `x${seed}y${index}`).join(' ')} }`

const request = (query: string, token: string) => {
  const body = JSON.stringify({ query })
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Sends so many requests at once over one connection, and resolves when all are answered. */
const pipeline = async (server: ProbedServer, texts: readonly string[], token: string): Promise<number> => {
  const { hostname, port } = new URL(server.address)
  const socket = connectSocket(Number(port), hostname)
  socket.write(texts.map(text => request(text, token)).join(''))
  let answered = ''
  for await (const chunk of socket) {
    answered += chunk
    if (answered.split('HTTP/1.1 ').length > texts.length) break
  }
  // What has waited for its turn as long as a request may take is 504.
  expect(answered).toContain('HTTP/1.1 400')
  return answered.split(/HTTP\/1\.1 (?:400|504)/).length - 1
}

const overSocket = async (server: ProbedServer, texts: readonly string[], token: string): Promise<number> => {
  using socket = connect(server.address, bearer(token))
  const refused = texts.map(text => {
    const subscription = socket.subscribe(text)
    return Promise.race([subscription.ended, subscription.next().catch(error => error)])
  })
  return (await Promise.all(refused)).length
}

const MANY = 50

/** While many are refused, another client is answered, and the loop is held up by none. */
const holdsUpNobody = async (
  what: string,
  send: (server: ProbedServer, texts: readonly string[], token: string) => Promise<number>,
) => {
  const token = await gateway.token('demo-partner')
  const other = await gateway.token('demo-portal')
  let best = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < 3 && best > MAX_DELAY_MS; tried++) {
    const texts = Array.from({ length: MANY }, (_, index) => unknownFields(tried * MANY + index))
    const done: string[] = []
    const [delayMs] = await measure(gateway, async () => {
      const many = send(gateway, texts, token).then(count => {
        expect(count).toBe(MANY)
        done.push('many')
      })
      const one = ask(gateway.address, {
        token: other,
        raw: JSON.stringify({ query: `{ me { id a${tried}: id } }` }),
      })
      const two = one.then(({ status }) => done.push(`other ${status}`))
      await Promise.all([many, two])
    })
    expect(done).toEqual(['other 200', 'many'])
    best = Math.min(best, delayMs)
  }
  note({ part: 'attack', what, cases: MANY, faults: best > MAX_DELAY_MS ? 1 : 0, delayMs: best })
  expect(best).toBeLessThanOrEqual(MAX_DELAY_MS)
}

audit('SECURITY-INVALID', [
  [
    '01',
    'MUST be refused by the gateway without holding it up',
    async () => {
      const token = await gateway.token('demo-portal')
      await attackAll(
        gateway,
        'invalid operations',
        named([...operations(AT_GATEWAY), ...unfitVariables()], token),
      )
    },
  ],
  [
    '02',
    'MUST be refused at the port of a subgraph without holding it up',
    async () => {
      const token = await subgraph.token('demo-partner')
      const bodies = [...operations(AT_SUBGRAPH), ...unfitEntities()]
      await attackAll(subgraph, 'invalid operations at a port', named(bodies, token))
    },
  ],
  [
    '03',
    'MUST take turns with others, sent at once over one connection',
    () => holdsUpNobody('pipelined', pipeline),
  ],
  [
    '04',
    'MUST take turns with others, sent at once over one WebSocket',
    () => holdsUpNobody('over WebSocket', overSocket),
  ],
])
