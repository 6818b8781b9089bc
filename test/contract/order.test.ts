/** Members of documents and responses stand in the order of the contract's tables (contract documents 1 to 3). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type Json, readOpenApi } from '../support/openapi.ts'
import { createRest } from '../support/rest.ts'
import { type Stack, startStack } from '../support/stack.ts'

const words = (text: string) => text.split(/[\s,]+/)

const MONEY = words('amount currency description isVatIncluded vatAmount isTaxIncluded taxAmount')
const CARD = words('cardNumber cardHolderName cardType expiryMonth expiryYear cvv authorizationCode')
const META_DATA = words(
  'merchantName merchantIdentifier fee currency purchaseCategoryCode channel serviceId productId invoiceNumber paymentMethod creditCardDetails',
)
const POINTS_META_DATA = words(
  'merchantName merchantIdentifier channel serviceId productId characteristicList',
)
const WEBHOOK = words('notificationUrl notificationAuthToken')
const ERROR = words('code status message')
const EVENTS = (id: string) => ({
  EventNotification: words('eventSubscriptionid event'),
  Event: words('eventid eventType eventTime eventDetail'),
  EventDetail: [id, ...words('clientCorrelatorId status description paymentDate')],
})

/** The tables of the contract, row by row. */
const CONTRACT: Record<string, Record<string, string[]>> = {
  'postpaid-billing': {
    CreateBillPayment: words('paymentTransaction webhook'),
    PaymentTransaction: words('clientCorrelatorId referenceCode customerInfo paymentInfo'),
    CustomerInfo: words('customerAccountNumber phoneNumber fixedlineNumber internetAccount'),
    PaymentInfo: words('paymentInformation paymentMetaData amountDetails'),
    PaymentInformation: MONEY,
    PaymentItem: MONEY,
    PaymentMetaData: META_DATA,
    CreditCardDetails: CARD,
    Webhook: WEBHOOK,
    Payment: words(
      'paymentId paymentTransaction transactionOperationStatus paymentCreationDate paymentDate webhook',
    ),
    PaymentCreated: words(
      'paymentId paymentTransaction transactionOperationStatus paymentCreationDate paymentDate webhook',
    ),
    Customer: words(
      'customerName customerStatus customerType customerAccountNumber acctCategory collectionIndicator custAddr1 custAddr2 custAddr3 totalDues',
    ),
    ...EVENTS('paymentId'),
    ErrorInfo: ERROR,
  },
  prepaid: {
    CreateRecharge: words('rechargeTransaction webhook'),
    RechargeTransaction: words('clientCorrelatorId referenceCode mobileNumber rechargeInfo'),
    RechargeInfo: [
      ...words('rechargeInformation rechargeMetaData amountDetails mobileNumber'),
      // The flat form of the contract's examples.
      ...MONEY,
    ],
    RechargeInformation: MONEY,
    RechargeItem: MONEY,
    RechargeMetaData: META_DATA,
    CreditCardDetails: CARD,
    Webhook: WEBHOOK,
    Recharge: words(
      'rechargeId rechargeTransaction transactionOperationStatus rechargeCreationDate rechargeDate webhook',
    ),
    RechargeCreated: words(
      'rechargeId rechargeTransaction transactionOperationStatus rechargeCreationDate rechargeDate webhook',
    ),
    ...EVENTS('rechargeId'),
    ErrorInfo: ERROR,
  },
  messaging: {
    CreateSendSingleSms: words(
      'clientCorrelatorId webhook messageId sender recipient smsText expiryTime enableDeliveryReport flashMessage priority',
    ),
    CreatedSendSingleSms: words('otlTransactionId transactionOperationStatus smsCount smsParts'),
    Webhook: WEBHOOK,
    ErrorInfo: ERROR,
  },
  loyalty: {
    CreateReward: words('rewardTransaction webhook'),
    RewardTransaction: words(
      'clientCorrelatorId mobileNumber referenceCode rewardInformation rewardMetaData',
    ),
    RewardInformation: words('rewardPoints description characteristicList'),
    RewardMetaData: POINTS_META_DATA,
    Characteristic: words('name valueType value'),
    Webhook: WEBHOOK,
    Reward: words(
      'rewardId transactionOperationStatus rewardTransaction rewardCreationDate rewardDate webhook',
    ),
    RewardCreated: words('rewardId transactionOperationStatus rewardCreationDate rewardDate webhook'),
    ...EVENTS('rewardId'),
    ErrorInfo: ERROR,
  },
  redemption: {
    CreateRedemption: words('redemptionTransaction webhook'),
    RedemptionTransaction: words(
      'clientCorrelatorId mobileNumber referenceCode redemptionInformation redemptionMetaData',
    ),
    RedemptionInformation: words('redemptionPoints description characteristicList'),
    RedemptionMetaData: POINTS_META_DATA,
    Characteristic: words('name valueType value'),
    Webhook: WEBHOOK,
    Redemption: words('redemptionId transactionOperationStatus redemptionTransaction redemptionDate webhook'),
    RedemptionCreated: words('redemptionId transactionOperationStatus redemptionDate webhook'),
    ...EVENTS('redemptionId'),
    ErrorInfo: ERROR,
  },
}

const schemasOf = (name: string) =>
  (readOpenApi(name)['components'] as Json)['schemas'] as Record<string, Json>

/** The schema of a member, or of the items of a list. */
const memberOf = (schemas: Record<string, Json>, schema: Json, name?: string): Json => {
  const member = name === undefined ? schema['items'] : (schema['properties'] as Json)[name]
  const reference = (member as Json)['$ref'] as string | undefined
  return reference ? schemas[reference.split('/').at(-1)!]! : (member as Json)
}

/** Every object within the value whose members stand in another order than its schema has them. */
const misplaced = (schemas: Record<string, Json>, schema: Json, value: unknown, path = '$'): string[] => {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      misplaced(schemas, memberOf(schemas, schema), item, `${path}[${index}]`),
    )
  if (typeof value !== 'object' || value === null) return []
  const names = Object.keys(value)
  const ordered = Object.keys(schema['properties'] as Json).filter(name => names.includes(name))
  return [
    ...(names.join() === ordered.join() ? [] : [`${path}: ${names} instead of ${ordered}`]),
    ...Object.entries(value).flatMap(([name, member]) =>
      misplaced(schemas, memberOf(schemas, schema, name), member, `${path}.${name}`),
    ),
  ]
}

describe.each(Object.entries(CONTRACT))('%s', (name, tables) => {
  it('ORDER-01 MUST have its document follow the tables of the contract', () => {
    const orders = Object.entries(schemasOf(name)).flatMap(([title, { properties }]) =>
      properties ? [[title, Object.keys(properties)]] : [],
    )
    expect(Object.fromEntries(orders)).toEqual(tables)
  })
})

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** The body with the members of every object in the reverse of the order in which they are documented. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]))
}

const rest = (method: string, path: string, body?: unknown) =>
  createRest(stack.address)(method, path, { token, body })

describe.each(FIXTURES)('$name', ({ name, path, typename, idField, body, card }) => {
  const schemas = schemasOf(name)

  it('ORDER-02 MUST have members of its responses in that order, whichever they were sent in', async () => {
    const sent = reversed(body())
    const created = await rest('POST', path, sent)
    expect(created.status).toBe(201)
    const createdAs = schemas[`${typename}Created`] ?? schemas['CreatedSendSingleSms']!
    expect(misplaced(schemas, createdAs, created.body)).toEqual([])
    if (!READABLE.some(fixture => fixture.name === name)) return
    await stack.settled()
    const one = await rest('GET', `${path}/${created.body[idField]}`)
    expect(misplaced(schemas, schemas[typename]!, one.body)).toEqual([])
    const list = await rest('GET', path)
    const items = { items: schemas[typename]! }
    expect(list.body.length).toBeGreaterThan(0)
    expect(misplaced(schemas, items, list.body)).toEqual([])
    if (card) expect(JSON.stringify(one.body)).toContain('cardHolderName')
  })

  it('ORDER-03 MUST have members of its failures in that order', async () => {
    const { body: failure } = await rest('POST', path, {})
    expect(misplaced(schemas, schemas['ErrorInfo']!, failure)).toEqual([])
  })
})

it('ORDER-04 MUST have members of the inquiry in that order', async () => {
  const { status, body } = await rest('GET', '/postpaid-billing/v1/customers?phoneNumber=96891000001')
  expect(status).toBe(201)
  const schemas = schemasOf('postpaid-billing')
  expect(misplaced(schemas, schemas['Customer']!, body)).toEqual([])
})
