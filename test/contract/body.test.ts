/** Request bodies against the contract's schemas: each thing a schema says, broken once (docs/decisions.md, "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, INTERFACES, mutationOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField, withoutField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { Body, ServiceFixture } from '../support/fixtures/fixture.ts'
import { documentedOperations } from '../support/openapi.ts'
import { schemaFaults } from '../support/schema-faults.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

describe.each(FIXTURES)('$name', fixture => {
  const [create] = documentedOperations(fixture.name).filter(({ body }) => body)
  const sample = fixture.body()
  const faults = schemaFaults(fixture.name, create!.body!, path => fieldOf(sample, path) !== undefined)

  it.each(faults)('REST-BODY-$id MUST answer 400 naming the field when it $what', async fault => {
    const { path, value, message } = fault
    const body = value === undefined ? withoutField(sample, path) : withField(sample, path, value)
    const response = await restOf(stack)('POST', fixture.path, { token, body })
    expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT', status: '400' } })
    expect(response.body.message).toContain(message)
  })

  const inGraph = faults.filter(fault => fault.inGraph)
  it.each(inGraph)('GRAPH-BODY-$id MUST answer INVALID_ARGUMENT when it $what', async ({ path, value }) => {
    const body = value === undefined ? withoutField(sample, path) : withField(sample, path, value)
    const created = await INTERFACES[1]!.create(stack, fixture, token, body)
    expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
  })
})

auditInterfaces('BODY', FIXTURES, [
  [
    '20',
    'MUST accept a body with every field of the contract',
    async (fixture, client) => {
      const created = await client.create(stack, fixture, token, fixture.body())
      expect(created).toMatchObject({ status: 201, transactionOperationStatus: fixture.initial })
      expect(created.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    },
  ],
  [
    '21',
    'MUST refuse a request with nothing to post',
    async (fixture, client) => {
      if (!fixture.information) return
      const body = withoutField(fixture.body(), fixture.information)
      const created = await client.create(stack, fixture, token, body)
      expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(created.message).toContain(fixture.information)
    },
  ],
  [
    '22',
    'MUST refuse an empty or overlong correlator',
    async (fixture, client) => {
      for (const correlator of ['', 'c'.repeat(257)]) {
        const body = withField(fixture.body(), fixture.correlator, correlator)
        const created = await client.create(stack, fixture, token, body)
        expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
        expect(created.message).toContain(`${fixture.correlator} must`)
      }
    },
  ],
  [
    '23',
    'MUST answer 400 to a text that no database can hold, and still serve the others of that instant',
    async (fixture, client) => {
      const bodies = Array.from({ length: 5 }, fixture.body)
      bodies[2] = withField(bodies[2]!, fixture.correlator, 'a\u0000b')
      const sent = bodies.map(body => client.create(stack, fixture, token, body))
      const statuses = (await Promise.all(sent)).map(({ status }) => status)
      expect(statuses).toEqual([201, 201, 400, 201, 201])
    },
  ],
])

auditServices('REST-BODY', FIXTURES, [
  [
    '30',
    'MUST ignore unknown fields: not stored, not echoed',
    async ({ path, group, table, body }) => {
      const unknown = { surprise: 'ignore-me-81', constructor: { a: 1 }, nested: { deep: ['ignore-me-82'] } }
      const full = body()
      const inner = group ? { [group]: { ...(full[group] as object), ...unknown } } : {}
      const sent = `${JSON.stringify({ ...full, ...unknown, ...inner }).slice(0, -1)},"__proto__":{"ignore-me":83}}`
      const response = await restOf(stack)('POST', path, { token, raw: sent })
      expect(response.status).toBe(201)
      expect(response.text).not.toMatch(/ignore-me|surprise|nested/)
      const rows = await stack.app.db.$queryRawUnsafe<{ row: string }[]>(
        `SELECT t::text AS row FROM ${table} t`,
      )
      expect(rows.some(({ row }) => /ignore-me|surprise/.test(row))).toBe(false)
    },
  ],
  [
    '31',
    'MUST echo what it knows as it was sent, defaults not filled in',
    async ({ path, group, card, body }) => {
      if (!group) return
      const sent = card ? withoutField(body(), card) : body()
      const response = await restOf(stack)('POST', path, { token, body: sent })
      if (group in response.body) expect(response.body[group]).toEqual(sent[group])
    },
  ],
])

/** Two faults of the schema, or of the rules, in one body: their paths. */
const TWO_FAULTS = {
  schema: (fixture: ServiceFixture, body: Body) => {
    const places = ['webhook.notificationUrl', fixture.correlator]
    return {
      body: places.reduce((sent, path) => withField(sent, path, 5), body),
      places,
      reason: 'WRONG_TYPE',
    }
  },
  rules: (fixture: ServiceFixture, body: Body) => {
    const wrong = withField(body, 'webhook.notificationUrl', 'ftp://here')
    const places = ['webhook.notificationUrl', fixture.phone]
    return { body: withField(wrong, fixture.phone, 'abc'), places, reason: undefined }
  },
}

describe.each(FIXTURES)('$name', fixture => {
  it.each(['schema', 'rules'] as const)('REST-BODY-40 MUST name all faults at once: of %s', async of => {
    const { body, places } = TWO_FAULTS[of](fixture, fixture.body())
    const answer = await restOf(stack)('POST', fixture.path, { token, body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } })
    for (const path of places) expect(answer.body.message).toContain(`${path} must`)
  })

  it('GRAPH-BODY-40 MUST answer each fault as an error of its own, with its field and a reason', async () => {
    const { body, places } = TWO_FAULTS.rules(fixture, fixture.body())
    const { errors } = await graphOf(stack)(mutationOf(fixture), { token, variables: { input: body } })
    const found = errors.map(({ path, extensions: { code, field, reason } }) => ({
      path,
      code,
      field,
      reason,
    }))
    const expected = { path: [fixture.mutation], code: 'INVALID_ARGUMENT' }
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        { ...expected, field: places[0], reason: 'WEBHOOK_ADDRESS_REFUSED' },
        { ...expected, field: places[1], reason: 'BAD_PHONE_NUMBER' },
      ]),
    )
  })

  it('GRAPH-BODY-41 MUST name the field where a variable cannot be read', async () => {
    const body = withoutField(withField(fixture.body(), fixture.correlator, 5), 'webhook.notificationUrl')
    const { errors } = await graphOf(stack)(mutationOf(fixture), { token, variables: { input: body } })
    const found = errors.map(({ extensions: { field, reason } }) => `${field} ${reason}`)
    expect(found.toSorted()).toEqual(
      [`${fixture.correlator} WRONG_TYPE`, 'webhook.notificationUrl REQUIRED'].toSorted(),
    )
  })
})

it('REST-BODY-42 MUST tell of many faults the first, and how many there are', async () => {
  const { path, body } = FIXTURES[0]!
  const items = Array.from({ length: 100_000 }, () => 0)
  const sent = withField(body(), 'paymentTransaction.paymentInfo.amountDetails', items)
  const { status, body: answer } = await restOf(stack)('POST', path, { token, body: sent })
  expect(status).toBe(400)
  expect(answer.message).toMatch(
    /^paymentTransaction.paymentInfo.amountDetails must not have more than 100 items; /,
  )
  expect(answer.message).toMatch(/; and 82 more$/)
  expect(answer.message.length).toBeLessThan(2_000)
})

it('REST-BODY-43 MUST keep informational numbers as they were sent, with any number of decimals', async () => {
  const { path, body, money } = FIXTURES[0]!
  const informational = {
    [money!.amount.replace('.amount', '.vatAmount')]: 0.000012345,
    [money!.amount.replace('.amount', '.taxAmount')]: 1e-12,
    [`${money!.metaData}.fee`]: 123456789012345,
  }
  const fields = Object.entries(informational)
  const sent = fields.reduce((so, [field, value]) => withField(so, field, value), body())
  const created = await restOf(stack)('POST', path, { token, body: sent })
  expect(created.status).toBe(201)
  for (const [field, value] of fields) expect(fieldOf(created.body, field)).toBe(value)
})
