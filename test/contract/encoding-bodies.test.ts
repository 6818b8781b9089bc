/**
 * Bodies, tokens and messages are UTF-8, read strictly: a byte that is none is refused by name at every door, nothing is
 * replaced and nothing is written (docs/decisions.md, "Values").
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { mutationOf } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../support/subgraph.ts'
import { cases, MARK, messageOf, percentEncoded, WRONG, withBytes } from './encoding.ts'

let stack: Stack
let token: string
let port: LoneSubgraph
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  port = await serveSubgraph(stack.app, 'postpaid-billing')
  token = await stack.token()
})
afterAll(async () => {
  await port?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
})

interface Door {
  readonly name: string
  readonly path: string
  /** Where it stands; the product unless given. */
  readonly at?: () => string
  readonly body: string
  readonly headers?: Record<string, string>
}

const [payment] = FIXTURES
const operation = () =>
  JSON.stringify({
    query: mutationOf(payment!),
    variables: { input: withField(payment!.body(), payment!.correlator, MARK) },
  })

const BODIES: readonly Door[] = [
  ...FIXTURES.map(({ path, body, correlator }) => ({
    name: `POST ${path}`,
    path,
    body: JSON.stringify(withField(body(), correlator, MARK)),
  })),
  {
    name: 'a field that is ignored',
    path: payment!.path,
    body: JSON.stringify({ ...payment!.body(), ignored: MARK }),
  },
  { name: 'a name', path: payment!.path, body: JSON.stringify({ ...payment!.body(), [MARK]: 1 }) },
  { name: 'POST /graphql', path: '/graphql', body: operation() },
  {
    name: 'POST /graphql, as a stream',
    path: '/graphql',
    body: operation(),
    headers: { accept: 'text/event-stream' },
  },
  { name: 'POST /graphql/stream', path: '/graphql/stream', body: operation() },
  { name: "POST /graphql at a service's port", path: '/graphql', at: () => port.address, body: operation() },
]

const send = ({ path, headers, at = () => stack.address }: Door, body: Buffer<ArrayBuffer>) =>
  fetch(at() + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })

const count = async () => {
  const counts = FIXTURES.map(({ table }) => `SELECT count(*) FROM ${table}`).map(one => `(${one})`)
  const [row] = await stack.app.db.$queryRawUnsafe<{ sum: bigint }[]>(`SELECT ${counts.join(' + ')} AS sum`)
  return row!.sum
}

it.each(cases(BODIES).map(([what, door]) => [what, door.name, door] as const))(
  'ENCODING-01 MUST be refused by name, and nothing written: %s, %s',
  async (what, _, door) => {
    const before = await count()
    const response = await send(door, withBytes(door.body, WRONG[what]!))
    expect(response.status).toBe(400)
    const message = messageOf((await response.json()) as object)
    expect(message).toContain('must be encoded in UTF-8')
    expect(message).toContain(`position ${door.body.indexOf(MARK)} `)
    expect(await count()).toBe(before)
  },
)

describe('a byte order mark', () => {
  it.each(BODIES.slice(0, FIXTURES.length))('ENCODING-04 MUST be ignored: $name', async door => {
    const text = door.body.replace(MARK, crypto.randomUUID().slice(0, 18))
    const response = await send(door, Buffer.from(`\ufeff${text}`))
    expect(response.status).toBe(201)
  })
})

const requestToken = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${stack.address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })

const FORM = `grant_type=client_credentials&client_id=demo-partner&client_secret=${MARK}`
const basic = (bytes: number[]) => `Basic ${withBytes(`demo-partner:${MARK}`, bytes).toString('base64')}`

describe.each(Object.entries(WRONG))('%s', (_, bytes) => {
  it('ENCODING-05 MUST be refused by name in the form of a token request', async () => {
    for (const body of [withBytes(FORM, bytes), Buffer.from(FORM.replace(MARK, percentEncoded(bytes)))]) {
      const response = await requestToken(body)
      expect(response.status).toBe(400)
      const { error, error_description } = (await response.json()) as Record<string, string>
      expect(error).toBe('invalid_request')
      expect(error_description).toContain('UTF-8')
    }
  })

  it('ENCODING-06 MUST be refused by name in the credentials of a token request', async () => {
    const form = Buffer.from('grant_type=client_credentials')
    const response = await requestToken(form, { authorization: basic(bytes) })
    expect(response.status).toBe(401)
    const { error, error_description } = (await response.json()) as Record<string, string>
    expect(error).toBe('invalid_client')
    expect(error_description).toContain('UTF-8')
  })

  it('ENCODING-09 MUST close a WebSocket, be the message text or bytes', async () => {
    for (const binary of [false, true]) {
      const socket = new WebSocket(`${stack.address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
      const closed = new Promise<number>(done => socket.once('close', done))
      await new Promise(done => socket.once('open', done))
      socket.send(withBytes(`{"type":"connection_init","payload":{"a":"${MARK}"}}`, bytes), { binary })
      expect(await closed).toBe(1007)
    }
  })
})
