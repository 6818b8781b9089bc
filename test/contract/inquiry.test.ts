/** Dues and customer inquiry: which account is meant, by which parameters, over both interfaces. */

import { describe, expect, it } from 'vitest'
import { audit } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { bound, type Found, found, stack, token, useInquiries } from './inquiry.ts'

useInquiries()

type Query = Record<string, string>

const rest = async (query: Query, by = token): Promise<Found> => {
  const path = `/postpaid-billing/v1/customers?${new URLSearchParams(query)}`
  const { status, body } = await restOf(stack)('GET', path, { token: by })
  return status === 201
    ? { account: body.customerAccountNumber }
    : { status, code: body.code, says: body.message }
}

const graph = async (query: Query, by = token): Promise<Found> => {
  const args = Object.entries(query).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const list = args.length > 0 ? `(${args.join(', ')})` : ''
  const { data, errors } = await graphOf(stack)(`{ customer${list} { customerAccountNumber } }`, {
    token: by,
  })
  const [error] = errors
  return error
    ? { status: error.extensions.http.status, code: error.extensions.code, says: error.message }
    : { account: data.customer.customerAccountNumber }
}

const ACCOUNT = { customerAccountNumber: '100003' }

const PHONE = { phoneNumber: '+96891000003' }

const FIXED = { fixedlineNumber: '96824000003' }

const OF_ANOTHER = { internetAccount: 'muna.home@fiber' }

const invalid = (says: string): Found => ({
  status: 400,
  code: 'INVALID_ARGUMENT',
  says: expect.stringContaining(says),
})

const INQUIRIES: [number: string, what: string, query: Query, expected: Found][] = [
  ['01', 'a phone number', PHONE, found('100003')],
  ['02', 'a fixed line', FIXED, found('100003')],
  ['03', 'an internet account', OF_ANOTHER, found('100002')],
  ['04', 'an account', ACCOUNT, found('100003')],
  ['05', 'two of one customer', { ...PHONE, ...FIXED }, found('100003')],
  ['06', 'three of one customer', { ...PHONE, ...FIXED, ...ACCOUNT }, found('100003')],
  ['07', 'two of different customers', { ...PHONE, ...OF_ANOTHER }, invalid('different accounts')],
  [
    '08',
    'four, one of them different',
    { ...PHONE, ...FIXED, ...ACCOUNT, ...OF_ANOTHER },
    invalid('different'),
  ],
  ['09', 'an unknown phone number', { phoneNumber: '+96899999999' }, invalid('phoneNumber')],
  ['10', 'an unknown fixed line', { fixedlineNumber: '96829999999' }, invalid('fixedlineNumber')],
  ['11', 'an unknown internet account', { internetAccount: 'nobody@fiber' }, invalid('internetAccount')],
  ['12', 'an unknown account', { customerAccountNumber: '999999' }, invalid('customerAccountNumber')],
  [
    '13',
    'a known and an unknown one',
    { ...PHONE, customerAccountNumber: '999999' },
    invalid('customerAccountNumber'),
  ],
  ['14', 'a mobile number as a fixed line', { fixedlineNumber: '96891000003' }, invalid('fixedlineNumber')],
  ['15', 'a fixed line as a phone number', { phoneNumber: '+96824000003' }, invalid('phoneNumber')],
  ['16', 'an impossible fixed line', { fixedlineNumber: '123' }, invalid('fixedlineNumber must be')],
  ['17', 'a number of an inactive line', { phoneNumber: '+96891000006' }, found('100006')],
  [
    '18',
    'a text no database can hold',
    { internetAccount: 'a\u0000b' },
    { status: 400, code: 'INVALID_ARGUMENT' },
  ],
]

describe.each([
  ['REST', rest],
  ['GRAPH', graph],
] as const)('%s', (api, inquire) => {
  it.each(INQUIRIES)(`${api}-INQUIRY-%s MUST judge %s`, async (_, __, query, expected) => {
    expect(await inquire(query)).toMatchObject(expected)
  })

  it(`${api}-INQUIRY-20 MUST answer PHONE_NUMBER_REQUIRED to nothing at all`, async () => {
    const expected = { status: 403, code: 'CARRIER_BILLING.PHONE_NUMBER_REQUIRED' }
    expect(await inquire({})).toMatchObject(expected)
    expect(await inquire({}, await stack.token('demo-portal'))).toMatchObject(expected)
  })

  it(`${api}-INQUIRY-21 MUST take the bound number when nothing is named`, async () => {
    expect(await inquire({}, bound)).toEqual(found('100003'))
  })

  it(`${api}-INQUIRY-22 MUST hold every parameter against the bound number`, async () => {
    const context = { status: 403, code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT' }
    expect(await inquire(PHONE, bound)).toEqual(found('100003'))
    expect(await inquire(ACCOUNT, bound)).toEqual(found('100003'))
    expect(await inquire({ phoneNumber: '+96891000001' }, bound)).toMatchObject(context)
    // The same of what is another's and of what nobody has.
    const says = 'What is given must belong to the account of the phone number that the token is bound to'
    for (const given of [OF_ANOTHER, { customerAccountNumber: '100001' }, { customerAccountNumber: 'none' }])
      expect(await inquire(given, bound)).toMatchObject({ status: 400, says })
  })

  it(`${api}-INQUIRY-23 MUST answer a portal and an analyst`, async () => {
    for (const client of ['demo-portal', 'demo-analyst'])
      expect(await inquire(PHONE, await stack.token(client))).toEqual(found('100003'))
  })
})

audit('REST-INQUIRY', [
  [
    '30',
    'MUST answer 201 with exactly what the directory knows, and the dues',
    async () => {
      const path = '/postpaid-billing/v1/customers?customerAccountNumber=100007'
      const { status, body } = await restOf(stack)('GET', path, { token })
      expect(status).toBe(201)
      expect(body).toEqual({
        customerName: 'Ministry Archive',
        customerStatus: 'ACTIVE',
        customerType: 11,
        customerAccountNumber: '100007',
        acctCategory: 'government',
        collectionIndicator: 'ACCOUNT NOT IN COLLECTIONS',
        custAddr1: 'Way 2811',
        custAddr2: 'Al Khuwair',
        custAddr3: 'Muscat',
        totalDues: 5.005,
      })
    },
  ],
  [
    '31',
    'MUST read every spelling of a phone number, a bare plus included, and ignore the unknown and the empty',
    async () => {
      const spellings = ['96891000003', '%2B96891000003', '+96891000003', '91000003']
      for (const spelling of spellings) {
        const path = `/postpaid-billing/v1/customers?phoneNumber=${spelling}&internetAccount=&surprise=1`
        const response = await restOf(stack)('GET', path, { token })
        expect(response, spelling).toMatchObject({ status: 201, body: { customerAccountNumber: '100003' } })
      }
    },
  ],
  [
    '32',
    'MUST refuse a parameter given twice, and impossible phone numbers',
    async () => {
      const same = 'customerAccountNumber=100003'
      for (const query of [
        `${same}&${same}`,
        'phoneNumber=12',
        'phoneNumber=tel:96891000003',
        'phoneNumber=9100%200003',
      ]) {
        const response = await restOf(stack)('GET', `/postpaid-billing/v1/customers?${query}`, { token })
        expect(response, query).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } })
      }
    },
  ],
])
