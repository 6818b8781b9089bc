/** Idempotency keys: a repeated request gets the first response again, byte for byte (docs/decisions.md, "Idempotency keys"). */
import { afterAll, beforeAll, expect } from 'vitest'
import { audit, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField, withoutField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Body, type ServiceFixture, unique } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Headers that differ from one response to the next: the request's own id, the time, the client's quota, the connection. */
const OF_THE_REQUEST = /^(x-correlator|date|ratelimit.*|connection|keep-alive)$/

interface Sent {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string>
}

/** Posts with a key, as no document of the contract describes it. */
const send = async ({ path }: ServiceFixture, body: unknown, key: string, as = token): Promise<Sent> => {
  const response = await fetch(stack.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const headers = [...response.headers].filter(([name]) => !OF_THE_REQUEST.test(name))
  return { status: response.status, text: await response.text(), headers: Object.fromEntries(headers) }
}

const replayed = (first: Sent): Sent => ({
  ...first,
  headers: { ...first.headers, 'idempotency-replayed': 'true' },
})

const idIn = ({ idField }: ServiceFixture, { text }: Sent): string => JSON.parse(text)[idField]

const countOf = async ({ table }: ServiceFixture, correlator: unknown) => {
  const [row] = await stack.app.db.$queryRawUnsafe<{ count: bigint }[]>(
    `SELECT count(*) FROM ${table} WHERE client_correlator_id = $1`,
    correlator,
  )
  return Number(row!.count)
}

const correlatorOf = ({ correlator }: ServiceFixture, body: Body) => fieldOf(body, correlator)

auditServices('IDEM', FIXTURES, [
  [
    '01',
    'MUST answer the same key and body by the first 201, byte for byte, also once the transaction has gone on',
    async fixture => {
      const [body, key] = [fixture.body(), unique()]
      const first = await send(fixture, body, key)
      expect(first).toMatchObject({
        status: 201,
        headers: expect.not.objectContaining({ 'idempotency-replayed': 'true' }),
      })
      expect(await send(fixture, body, key)).toEqual(replayed(first))
      await stack.settled()
      expect(await send(fixture, body, key)).toEqual(replayed(first))
      expect(await countOf(fixture, correlatorOf(fixture, body))).toBe(1)
    },
  ],
  [
    '02',
    'MUST take a body for the same whatever the order of its members and its white space',
    async fixture => {
      const [body, key] = [fixture.body(), unique()]
      const first = await send(fixture, body, key)
      const turned = JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), null, 3)
      expect(await send(fixture, turned, key)).toEqual(replayed(first))
    },
  ],
  [
    '03',
    'MUST refuse another body by 422 in the envelope, naming the first, and post nothing',
    async fixture => {
      const key = unique()
      const first = await send(fixture, fixture.body(), key)
      const other = fixture.body()
      const { status, text } = await send(fixture, other, key)
      expect(status).toBe(422)
      expect(JSON.parse(text)).toEqual({
        code: 'INVALID_ARGUMENT',
        status: '422',
        message: expect.stringMatching(new RegExp(`^Idempotency-Key .*${idIn(fixture, first)}`)),
      })
      expect(await countOf(fixture, correlatorOf(fixture, other))).toBe(0)
    },
  ],
  [
    '04',
    'MUST refuse a body that differs in nothing but the token of its callback',
    async fixture => {
      const [body, key] = [fixture.body(), unique()]
      await send(fixture, body, key)
      const other = withField(body, 'webhook.notificationAuthToken', 'another-token')
      expect((await send(fixture, other, key)).status).toBe(422)
    },
  ],
  [
    '05',
    'MUST answer 20 that arrive at once alike, and post once',
    async fixture => {
      const [body, key] = [fixture.body(), unique()]
      const sent = await Promise.all(Array.from({ length: 20 }, () => send(fixture, body, key)))
      const first = sent.filter(({ headers }) => headers['idempotency-replayed'] === undefined)
      expect(first).toHaveLength(1)
      expect(first[0]!.status).toBe(201)
      for (const one of sent) if (one !== first[0]) expect(one).toEqual(replayed(first[0]!))
      expect(await countOf(fixture, correlatorOf(fixture, body))).toBe(1)
    },
  ],
  [
    '06',
    'MUST refuse a correlator that was used with another key, or without one, as ever',
    async fixture => {
      const body = fixture.body()
      const first = await send(fixture, body, unique())
      const again = await send(fixture, body, unique())
      expect(again.status).toBe(400)
      expect(JSON.parse(again.text).message).toContain(idIn(fixture, first))
      expect((await restOf(stack)('POST', fixture.path, { token, body })).status).toBe(400)
    },
  ],
  [
    '07',
    'MUST leave the key free where the request was refused',
    async fixture => {
      const [body, key] = [fixture.body(), unique()]
      const wrong = withField(body, 'webhook', { notificationUrl: 'http://example.com' })
      expect((await send(fixture, wrong, key)).status).toBe(400)
      expect((await send(fixture, body, key)).status).toBe(201)
    },
  ],
  [
    '08',
    'MUST keep the keys of clients apart',
    async fixture => {
      const key = unique()
      const first = await send(fixture, fixture.body(), key)
      const other = await send(fixture, fixture.body(), key, await stack.token('demo-partner-2'))
      expect([first.status, other.status]).toEqual([201, 201])
    },
  ],
  [
    '09',
    'MUST hold in the graph for the argument, for the same requests as over REST',
    async fixture => {
      const { mutation, input, idField } = fixture
      const [body, key] = [fixture.body(), unique()]
      const text = `mutation ($input: ${input}!, $key: String) {
        ${mutation}(input: $input, idempotencyKey: $key) { ${idField} transactionOperationStatus } }`
      const post = async (given: Body) => graphOf(stack)(text, { token, variables: { input: given, key } })
      const first = await post(body)
      expect(first.errors).toEqual([])
      await stack.settled()
      expect((await post(body)).data).toEqual(first.data)
      const [error] = (await post(fixture.body())).errors
      expect(error!.extensions).toMatchObject({
        code: 'INVALID_ARGUMENT',
        http: { status: 422 },
        field: 'idempotencyKey',
        reason: 'IDEMPOTENCY_KEY_REUSED',
        existingId: first.data[mutation][idField],
      })
      expect(await send(fixture, body, key)).toMatchObject({
        status: 201,
        headers: { 'idempotency-replayed': 'true' },
      })
    },
  ],
  [
    '10',
    'MUST take keys of 1 to 255 visible characters, and refuse others by 400',
    async fixture => {
      for (const key of ['k'.repeat(256), 'two words', 'ключ'.replaceAll(/./g, () => '\u00e9'), ''])
        expect(await send(fixture, fixture.body(), key)).toMatchObject({
          status: 400,
          text: expect.stringContaining('Idempotency-Key must be 1 to 255 visible'),
        })
      for (const key of [unique().padEnd(255, '~'), `!"#$%&'()*+,-./:;<=>?@[]^_\`{|}~${unique()}`])
        expect((await send(fixture, fixture.body(), key)).status).toBe(201)
    },
  ],
])

const [payments] = FIXTURES

audit('IDEM', [
  [
    '20',
    'MUST leave the key to the one of many different bodies that was first',
    async () => {
      const key = unique()
      const bodies = Array.from({ length: 10 }, () => payments!.body())
      const sent = await Promise.all(bodies.map(body => send(payments!, body, key)))
      expect(sent.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(422)])
    },
  ],
  [
    '21',
    'MUST answer a repetition that its rules would refuse by now',
    async () => {
      const [body, key] = [withoutField(payments!.body(), 'paymentTransaction.clientCorrelatorId'), unique()]
      const first = await send(payments!, body, key)
      expect(first.status).toBe(201)
      // Without a key it is a duplicate.
      expect((await restOf(stack)('POST', payments!.path, { token, body })).status).toBe(409)
      expect(await send(payments!, body, key)).toEqual(replayed(first))
    },
  ],
])
