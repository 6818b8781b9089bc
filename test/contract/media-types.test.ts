/** A body means the same, and passes the same checks, as whichever JSON type it is sent (docs/decisions.md, "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mutationOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { documentedOperations } from '../support/openapi.ts'
import { schemaFaults } from '../support/schema-faults.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../support/subgraph.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const post = async (path: string, type: string, body: unknown) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const response = await fetch(stack.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as { message?: string } }
}

const TYPES = [
  'application/problem+json',
  'application/vnd.partner.v1+json; charset=utf-8',
  'Application/JSON',
  'application/json;charset="UTF-8"',
  'application/json;',
  'application/json ; ;charset=utf8;',
  'application/json; charset="utf8"',
]

describe.each(FIXTURES)('$name', fixture => {
  const [create] = documentedOperations(fixture.name).filter(({ body }) => body)
  const isSent = (place: string) => fieldOf(fixture.body(), place) !== undefined
  const fault = schemaFaults(fixture.name, create!.body!, isSent).find(({ value }) => value !== undefined)!

  it.each(TYPES)('MEDIA-01 MUST refuse a wrong field by its path: %s', async type => {
    const refused = await post(fixture.path, type, withField(fixture.body(), fault.path, fault.value))
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(fault.message)])
  })

  it.each(TYPES)('MEDIA-02 MUST take what is right: %s', async type => {
    expect((await post(fixture.path, type, fixture.body())).status).toBe(201)
  })
})

describe('POST /graphql', () => {
  let port: LoneSubgraph
  beforeAll(async () => {
    port = await serveSubgraph(stack.app, 'postpaid-billing')
  })
  afterAll(() => port?.[Symbol.asyncDispose]())

  const [payment] = FIXTURES
  const doors = { gateway: () => stack.address, service: () => port.address }

  it.each(TYPES.flatMap(type => Object.entries(doors).map(([where, at]) => [type, where, at] as const)))(
    'MEDIA-03 MUST take what is right: %s at a %s',
    async (type, _, at) => {
      const response = await fetch(`${at()}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        body: JSON.stringify({ query: mutationOf(payment!), variables: { input: payment!.body() } }),
      })
      expect(await response.json()).toMatchObject({
        data: { createPayment: { paymentId: expect.any(String) } },
      })
    },
  )
})

it.each([
  'application/json; charset=utf-16',
  'application/json; version=1',
  'application/json; charset',
  'application/jsoncharset=utf8',
])('MEDIA-04 MUST refuse any other charset or parameter: %s', async type => {
  const { status, body } = await post(FIXTURES[0]!.path, type, FIXTURES[0]!.body())
  expect([status, body.message]).toEqual([400, expect.stringContaining('content-type')])
})
