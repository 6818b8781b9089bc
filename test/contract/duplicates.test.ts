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

/** A token of the same client that is bound to a number which it did not have to do with before. */
const bound = async () => {
  const record = (await stack.app.access.clients.find('demo-partner'))!
  return stack.app.access.issuer!.issue({ ...record, phoneNumber: '96891000008' })
}

/** The same request again, as it may be refused by now: by each rule, by the token's number, for its amount. */
const refusedBy = async (fixture: ServiceFixture, body: Body): Promise<[Body, string?][]> => {
  const { phone, phoneSpellings, money, points, information } = fixture
  const tooMuch = money?.amount ?? points
  return [
    [withField(body, 'webhook', { notificationUrl: 'http://example.com' })],
    [withField(body, phone, phoneSpellings ? '96892000003' : '9689100000a')],
    ...(phoneSpellings ? [[body, await bound()] as [Body, string]] : []),
    ...(phoneSpellings && fixture.phoneRequired ? [[withoutField(body, phone)] as [Body]] : []),
    ...(tooMuch ? [[withField(body, tooMuch, 1e13)] as [Body]] : []),
    ...(information ? [[withoutField(body, information)] as [Body]] : []),
    ...(fixture.kind === 'MESSAGE'
      ? [[withField(body, 'expiryTime', '2020-01-01T00:00:00.000Z')] as [Body]]
      : []),
  ]
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
      if (api.id === 'GRAPH') expect(again.existingId).toBe(first.id)
      else expect(again.location).toBe(fixture.readable ? `${fixture.path}/${first.id}` : null)
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
    '06',
    'MUST name the first before phone context (403), rules (400) and amounts (403), and after the schema',
    async (fixture, api) => {
      const body = fixture.body()
      const first = await api.create(stack, fixture, token, body)
      for (const [other, as = token] of await refusedBy(fixture, body)) {
        const again = await api.create(stack, fixture, as, other)
        expect(again).toMatchObject({ status: 400, message: expect.stringContaining(first.id!) })
        if (api.id === 'GRAPH') expect(again.existingId).toBe(first.id)
        else expect(again.location).toBe(fixture.readable ? `${fixture.path}/${first.id}` : null)
      }
      const faulty = await api.create(stack, fixture, token, withField(body, 'webhook', {}))
      expect(faulty).toMatchObject({ status: 400, message: expect.stringContaining('notificationUrl') })
    },
  ],
  [
    '07',
    "MUST tell of the rule where the correlator is not known, or is another client's",
    async (fixture, api) => {
      const body = fixture.body()
      const other = await stack.token('demo-partner-2')
      await api.create(stack, fixture, other, body)
      for (const [refused, as = token] of await refusedBy(fixture, body)) {
        const answer = await api.create(stack, fixture, as, refused)
        expect(answer.message).not.toContain('already exists')
        expect(answer).not.toHaveProperty('existingId', expect.any(String))
      }
    },
  ],
  [
    '04',
    'MUST recognize a correlator that came over the other interface',
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

/** Without a correlator, client, reference and account together identify a payment. */
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
