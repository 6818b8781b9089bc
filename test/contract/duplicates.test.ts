/** Repeats: the same correlator is refused, and the first transaction is named (docs/decisions.md, "Life of a transaction"). */
import { afterAll, beforeAll, expect } from 'vitest'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { INTERFACES, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField, withoutField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { Body, ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const count = async ({ table }: ServiceFixture, correlator: unknown) => {
  const [row] = await stack.app.db.$queryRawUnsafe<{ count: bigint }[]>(
    `SELECT count(*) FROM ${table} WHERE client_correlator_id = $1`,
    correlator,
  )
  return Number(row!.count)
}

auditInterfaces('REPEAT', FIXTURES, [
  [
    '01',
    'MUST refuse the same correlator again with 400, naming the first, with Location where it can be read',
    async (fixture, api) => {
      const body = fixture.body()
      const first = await api.create(stack, fixture, token, body)
      const again = await api.create(stack, fixture, token, body)
      expect(again).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(again.message).toContain(first.id)
      if (api.id === 'GRAPH') return
      expect(again.location).toBe(fixture.readable ? `${fixture.path}/${first.id}` : null)
    },
  ],
  [
    '02',
    'MUST refuse it whatever else the request says',
    async (fixture, api) => {
      const body = fixture.body()
      const first = await api.create(stack, fixture, token, body)
      const other = withField(fixture.body(), fixture.correlator, fieldOf(body, fixture.correlator))
      const again = await api.create(stack, fixture, token, withoutField(other, 'webhook'))
      expect(again).toMatchObject({ status: 400, message: expect.stringContaining(first.id!) })
    },
  ],
  [
    '03',
    'MUST accept exactly one of 20 that arrive at once, and name it to the others',
    async (fixture, api) => {
      const body = fixture.body()
      const sent = Array.from({ length: 20 }, () => api.create(stack, fixture, token, body))
      const responses = await Promise.all(sent)
      const [accepted, ...more] = responses.filter(({ status }) => status === 201)
      expect(more).toEqual([])
      const refused = responses.filter(response => response !== accepted)
      for (const response of refused) {
        expect(response).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
        expect(response.message).toContain(accepted!.id)
        if (api.id === 'REST' && fixture.readable)
          expect(response.location).toBe(`${fixture.path}/${accepted!.id}`)
      }
      expect(await count(fixture, fieldOf(body, fixture.correlator))).toBe(1)
    },
  ],
  [
    '04',
    'MUST recognise a correlator that came over the other interface',
    async (fixture, api) => {
      const body = fixture.body()
      const other = INTERFACES.find(one => one !== api)!
      const first = await other.create(stack, fixture, token, body)
      const again = await api.create(stack, fixture, token, body)
      expect(again).toMatchObject({ status: 400, message: expect.stringContaining(first.id!) })
    },
  ],
  [
    '05',
    'MUST tell correlators apart exactly: case, spaces, and forms of a letter',
    async (fixture, api) => {
      const correlator = String(fieldOf(fixture.body(), fixture.correlator)).slice(0, 8)
      for (const one of [
        `${correlator}a`,
        `${correlator}A`,
        `${correlator}a `,
        `${correlator}\u00e4`,
        `${correlator}a\u0308`,
      ]) {
        const created = await api.create(
          stack,
          fixture,
          token,
          withField(fixture.body(), fixture.correlator, one),
        )
        expect(created, one).toMatchObject({ status: 201 })
      }
    },
  ],
])

auditServices('REST-REPEAT', READABLE, [
  [
    '10',
    'MUST lead, by Location and by the list, to the first transaction',
    async ({ path, idField, correlator, body }) => {
      const rest = restOf(stack)
      const sent = body()
      const first = await rest('POST', path, { token, body: sent })
      const again = await rest('POST', path, { token, body: sent })
      const found = await rest('GET', again.headers.get('location')!, { token })
      expect(found.body[idField]).toBe(first.body[idField])
      const listed = await rest('GET', `${path}?clientCorrelatorId=${fieldOf(sent, correlator)}`, { token })
      expect(listed.body).toMatchObject([{ [idField]: first.body[idField] }])
    },
  ],
])

/** Without a correlator, client, reference and account together are what a payment is recognised by. */
auditInterfaces(
  'EXISTS',
  FIXTURES.filter(({ correlatorOptional }) => correlatorOptional),
  [
    [
      '01',
      'MUST answer 409 ALREADY_EXISTS to the same reference and account without a correlator',
      async (fixture, api) => {
        const body = withoutField(fixture.body(), fixture.correlator)
        expect(await api.create(stack, fixture, token, body)).toMatchObject({ status: 201 })
        const again = await api.create(stack, fixture, token, body)
        expect(again).toMatchObject({ status: 409, code: 'ALREADY_EXISTS' })
      },
    ],
    [
      '02',
      'MUST accept exactly one of 20 that arrive at once',
      async (fixture, api) => {
        const body = withoutField(fixture.body(), fixture.correlator)
        const sent = Array.from({ length: 20 }, () => api.create(stack, fixture, token, body))
        const statuses = (await Promise.all(sent)).map(({ status }) => status)
        expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
      },
    ],
    [
      '03',
      'MUST accept another reference, another account, another client, or a correlator',
      async (fixture, api) => {
        const body = withoutField(fixture.body(), fixture.correlator)
        await api.create(stack, fixture, token, body)
        const info = { customerAccountNumber: '100001' }
        const others: [Body, string][] = [
          [withField(body, 'paymentTransaction.referenceCode', 'another'.concat(api.id)), token],
          [withField(body, 'paymentTransaction.customerInfo', info), token],
          [body, await stack.token('demo-partner-2')],
          [withField(body, fixture.correlator, `with-${api.id}`), token],
        ]
        for (const [other, client] of others)
          expect(await api.create(stack, fixture, client, other)).toMatchObject({ status: 201 })
      },
    ],
    [
      '04',
      'MUST hold it against an earlier one that had a correlator',
      async (fixture, api) => {
        const body = fixture.body()
        await api.create(stack, fixture, token, body)
        const again = await api.create(stack, fixture, token, withoutField(body, fixture.correlator))
        expect(again).toMatchObject({ status: 409 })
      },
    ],
    [
      '05',
      'MUST tell an amount that is too large (403) before the duplicate (409)',
      async (fixture, api) => {
        const body = withoutField(fixture.body(), fixture.correlator)
        const client = { id: `capped-${api.id}`, role: 'partner', maxAmount: '2', dummyCards: true } as const
        const capped = await stack.token(client)
        await api.create(stack, fixture, capped, body)
        const again = await api.create(stack, fixture, capped, withField(body, fixture.money!.amount, 3))
        expect(again).toMatchObject({ status: 403, code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT' })
      },
    ],
  ],
)
