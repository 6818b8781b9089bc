/**
 * No text of a request is without an end: every string and list of the five documents is bounded, over REST and
 * GraphQL.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { restOf } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { documentedOperations, type Json, readOpenApi, resolveRef } from '../support/openapi.ts'
import { placesIn } from '../support/schema-faults.ts'
import { type Stack, startStack } from '../support/stack.ts'

const NAMES = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const isBounded = (schema: Json): boolean =>
  schema['type'] === 'array'
    ? typeof schema['maxItems'] === 'number'
    : schema['type'] !== 'string' ||
      'enum' in schema ||
      typeof schema['maxLength'] === 'number' ||
      schema['format'] === 'date'

const placesOf = (name: string) =>
  documentedOperations(name).flatMap(({ body }) => (body ? placesIn(readOpenApi(name), body, '') : []))

const parametersOf = (name: string) => {
  const document = readOpenApi(name)
  const methods = Object.values(document['paths'] as Record<string, Json>).flatMap(path =>
    Object.values(path),
  )
  return methods
    .flatMap(method => ((method as Json)['parameters'] ?? []) as Json[])
    .map(parameter => resolveRef(document, parameter))
}

describe.each(NAMES)('%s', name => {
  it('MAXIMA-01 MUST bound every text and list of its requests', () => {
    const unbounded = placesOf(name).filter(({ schema }) => !isBounded(schema))
    expect(unbounded.map(({ path }) => path)).toEqual([])
  })

  it('MAXIMA-02 MUST bound every text among its parameters', () => {
    const unbounded = parametersOf(name).filter(({ schema }) => !isBounded(schema as Json))
    expect(unbounded.map(parameter => parameter['name'])).toEqual([])
  })
})

const REFERENCE = 'the number of characters that a reference may have'
const DESCRIPTION: Record<string, string> = {
  'postpaid-billing': 'paymentTransaction.paymentInfo.paymentInformation.description',
  prepaid: 'rechargeTransaction.rechargeInfo.rechargeInformation.description',
  loyalty: 'rewardTransaction.rewardInformation.description',
  redemption: 'redemptionTransaction.redemptionInformation.description',
  messaging: 'smsText',
}
const LENGTHS: Record<string, number> = { messaging: 1_000 }

auditInterfaces('MAXIMA', FIXTURES, [
  [
    '10',
    'MUST count characters, not the units or bytes that a character takes',
    async (fixture, client) => {
      const path = DESCRIPTION[fixture.name]!
      const length = LENGTHS[fixture.name] ?? 1_024
      const longest = await client.create(
        stack,
        fixture,
        token,
        withField(fixture.body(), path, '😀'.repeat(length)),
      )
      expect(longest.status).toBe(201)
      const over = await client.create(
        stack,
        fixture,
        token,
        withField(fixture.body(), path, '😀'.repeat(length + 1)),
      )
      expect(over).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(over.message).toContain(`${path} must not be longer than ${length} characters`)
    },
  ],
  [
    '11',
    'MUST bound the address and the token of a webhook',
    async (fixture, client) => {
      const long = { notificationUrl: 'https://hooks.muscatpay.example/', notificationAuthToken: '' }
      for (const [name, start] of Object.entries(long)) {
        const body = (length: number) =>
          withField(fixture.body(), `webhook.${name}`, start.padEnd(length, 'x'))
        expect((await client.create(stack, fixture, token, body(2_048))).status).toBe(201)
        const over = await client.create(stack, fixture, token, body(2_049))
        expect(over.message).toContain(`webhook.${name} must not be longer than 2048 characters`)
      }
    },
  ],
])

const rest = (path: string) => restOf(stack)('GET', path, { token })

auditServices('REST-MAXIMA', READABLE, [
  [
    '20',
    `MUST refuse a correlator in a list's query beyond ${REFERENCE}`,
    async ({ path }) => {
      expect((await rest(`${path}?clientCorrelatorId=${'c'.repeat(256)}`)).status).toBe(200)
      const { status, body } = await rest(`${path}?clientCorrelatorId=${'c'.repeat(257)}`)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'OUT_OF_RANGE' })
      expect(body.message).toContain('clientCorrelatorId must not be longer than 256 characters')
    },
  ],
  [
    '21',
    'MUST answer 404 to an id of any length',
    async ({ path }) => {
      expect((await rest(`${path}/${'1'.repeat(5_000)}`)).status).toBe(404)
    },
  ],
])

it.each(['phoneNumber', 'fixedlineNumber', 'internetAccount', 'customerAccountNumber'])(
  'REST-MAXIMA-30 MUST bound %s of the customer inquiry',
  async name => {
    const { status, body } = await rest(`/postpaid-billing/v1/customers?${name}=${'1'.repeat(257)}`)
    expect(status).toBe(400)
    expect(body.message).toContain(`${name} must not be longer than 256 characters`)
  },
)
