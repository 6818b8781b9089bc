/** Phone numbers: their spellings, and tokens that are bound to one (docs/decisions.md, "Identity and access", "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, INTERFACES, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField, withoutField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const numberOf = ({ body, phone }: ServiceFixture) => String(fieldOf(body(), phone))

/** A client of this service's fixture bound to a number, by default the one its body names. */
const boundToken = (fixture: ServiceFixture, phoneNumber = numberOf(fixture)) =>
  stack.token({
    id: `bound-${fixture.name}-${Math.random()}`,
    role: 'partner',
    phoneNumber,
    dummyCards: true,
  })

const SPELLINGS: [number: string, what: string, spell: (digits: string) => string][] = [
  ['01', 'digits with country code', digits => digits],
  ['02', 'the same with a plus', digits => `+${digits}`],
  ['03', 'a national number', digits => digits.slice(3)],
]

const IMPOSSIBLE: [number: string, text: string][] = [
  ['10', ''],
  ['11', '9689100000'],
  ['12', '968910000011'],
  ['13', '00096891000001'],
  ['14', '+968 9100 0001'],
  ['15', '968-91000001'],
  ['16', 'tel:+96891000001'],
  ['17', '9100000a'],
  ['18', '++96891000001'],
  ['19', '\u0669\u0666\u0668\u0669\u0661\u0660\u0660\u0660\u0660\u0660\u0661'],
  ['20', '+99999999999'],
]

describe.each(FIXTURES.filter(({ phoneSpellings }) => phoneSpellings))('$name', fixture => {
  describe.each(INTERFACES)('$id', client => {
    it.each(SPELLINGS)(`${client.id}-PHONE-%s MUST accept %s`, async (_, __, spell) => {
      const body = withField(fixture.body(), fixture.phone, spell(numberOf(fixture)))
      expect(await client.create(stack, fixture, token, body)).toMatchObject({ status: 201 })
    })

    it.each(IMPOSSIBLE)(`${client.id}-PHONE-%s MUST refuse "%s", naming the field`, async (_, text) => {
      const created = await client.create(
        stack,
        fixture,
        token,
        withField(fixture.body(), fixture.phone, text),
      )
      expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(created.message).toContain(`${fixture.phone} must be a phone number`)
    })

    it.each(SPELLINGS)(
      `${client.id}-PHONE-3%s MUST take %s for the number a token is bound to`,
      async (_, __, spell) => {
        const body = withField(fixture.body(), fixture.phone, spell(numberOf(fixture)))
        const created = await client.create(stack, fixture, await boundToken(fixture), body)
        expect(created).toMatchObject({ status: 201 })
      },
    )
  })

  it.each(SPELLINGS)(
    'REST-PHONE-4%s MUST echo %s as it was sent, and the graph MUST show E.164 with a plus',
    async (_, __, spell) => {
      const sent = spell(numberOf(fixture))
      const body = withField(fixture.body(), fixture.phone, sent)
      const created = await restOf(stack)('POST', fixture.path, { token, body })
      const id = created.body[fixture.idField]
      const read = await restOf(stack)('GET', `${fixture.path}/${id}`, { token })
      expect(fieldOf(read.body, fixture.phone)).toBe(sent)
      const query = `{ ${fixture.single}(${fixture.idField}: "${id}") { subscriber { mobileNumber } } }`
      const { data } = await graphOf(stack)(query, { token })
      expect(data).toEqual({ [fixture.single]: { subscriber: { mobileNumber: `+${numberOf(fixture)}` } } })
    },
  )
})

const OTHER = '96891000008'

auditInterfaces(
  'CONTEXT',
  FIXTURES.filter(({ phoneSpellings }) => phoneSpellings),
  [
    [
      '01',
      'MUST refuse another number than the one the token is bound to',
      async (fixture, client) => {
        const created = await client.create(stack, fixture, await boundToken(fixture, OTHER), fixture.body())
        expect(created).toMatchObject({ status: 403, code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT' })
      },
    ],
    [
      '02',
      'MUST use the bound number where the request names none',
      async (fixture, client) => {
        const body = withoutField(fixture.body(), fixture.phone)
        const bound = await boundToken(fixture)
        const created = await client.create(stack, fixture, bound, body)
        expect(created).toMatchObject({ status: 201 })
        const shown = `subscriber { mobileNumber } ${fixture.phoneRequired ? `${fixture.group} { mobileNumber }` : ''}`
        const query = `{ ${fixture.single}(${fixture.idField}: "${created.id}") { ${shown} } }`
        const { data } = await graphOf(stack)(query, { token: bound })
        const number = { mobileNumber: `+${numberOf(fixture)}` }
        expect(data[fixture.single]).toMatchObject({
          subscriber: number,
          ...(fixture.phoneRequired && { [fixture.group!]: number }),
        })
      },
    ],
    [
      '03',
      'MUST tell a fault of the schema (400) before the wrong number (403)',
      async (fixture, client) => {
        const body = withField(fixture.body(), 'webhook', {})
        const created = await client.create(stack, fixture, await boundToken(fixture, OTHER), body)
        expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      },
    ],
    [
      '04',
      'MUST tell the wrong number (403) before a fault of the business rules (400)',
      async (fixture, client) => {
        const bound = await boundToken(fixture, OTHER)
        const bodies = [
          withField(fixture.body(), 'webhook', { notificationUrl: 'http://example.com' }),
          ...(fixture.money ? [withField(fixture.body(), fixture.money.currency, 'USD')] : []),
          ...(fixture.points ? [withField(fixture.body(), fixture.points, 0.001)] : []),
        ]
        for (const body of bodies) {
          const created = await client.create(stack, fixture, bound, body)
          expect(created).toMatchObject({ status: 403, code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT' })
        }
      },
    ],
    [
      '05',
      'MUST answer 403 to a missing number where it is required and the token is bound to none',
      async (fixture, client) => {
        const body = withoutField(fixture.body(), fixture.phone)
        const created = await client.create(stack, fixture, token, body)
        expect(created).toMatchObject(
          fixture.phoneRequired
            ? { status: 403, code: 'CARRIER_BILLING.PHONE_NUMBER_REQUIRED' }
            : { status: 201 },
        )
      },
    ],
    [
      '06',
      'MUST tell a fault of the schema (400) before the missing number (403), and that before the rules',
      async (fixture, client) => {
        if (!fixture.phoneRequired) return
        const body = withoutField(fixture.body(), fixture.phone)
        const faulty = [withField(body, 'webhook', {}), withField(body, fixture.phone, 96891000001)]
        for (const one of faulty)
          expect(await client.create(stack, fixture, token, one)).toMatchObject({ status: 400 })
        const refused = withField(body, 'webhook', { notificationUrl: 'http://example.com' })
        expect(await client.create(stack, fixture, token, refused)).toMatchObject({ status: 403 })
      },
    ],
  ],
)

auditServices(
  'REST-CONTEXT',
  READABLE.filter(({ phoneSpellings }) => phoneSpellings),
  [
    [
      '07',
      'MUST echo no bound number into what names none: not when it is posted, read or listed',
      async fixture => {
        const bound = await boundToken(fixture)
        const body = withoutField(fixture.body(), fixture.phone)
        const created = await restOf(stack)('POST', fixture.path, { token: bound, body })
        const read = await restOf(stack)('GET', `${fixture.path}/${created.body[fixture.idField]}`, {
          token: bound,
        })
        const listed = await restOf(stack)('GET', fixture.path, { token: bound })
        expect(Object.keys(read.body[fixture.group!])).toEqual(
          expect.arrayContaining(Object.keys(body[fixture.group!] as object)),
        )
        const texts = [created.text, read.text, listed.text]
        expect(texts.filter(text => text.includes(numberOf(fixture).slice(3)))).toEqual([])
      },
    ],
  ],
)

auditServices('GRAPH-CONTEXT', FIXTURES.slice(0, 1), [
  [
    '10',
    'MUST show a bound client no other subscriber, and its own',
    async fixture => {
      const bound = await boundToken(fixture, OTHER)
      const ask = (number: string) =>
        graphOf(stack)(`{ subscriber(mobileNumber: "+${number}") { mobileNumber } }`, { token: bound })
      expect((await ask(OTHER)).data).toEqual({ subscriber: { mobileNumber: `+${OTHER}` } })
      const { data, errors } = await ask(numberOf(fixture))
      expect(data).toEqual({ subscriber: null })
      expect(errors[0]!.extensions.code).toBe('CARRIER_BILLING.INVALID_TOKEN_CONTEXT')
    },
  ],
  [
    '11',
    "MUST answer null for a number that is not the operator's",
    async () => {
      const { data, errors } = await graphOf(stack)('{ subscriber(mobileNumber: "+96899999999") { kind } }', {
        token,
      })
      expect({ data, errors }).toEqual({ data: { subscriber: null }, errors: [] })
    },
  ],
])
