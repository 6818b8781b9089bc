/** Recharges alone have: its two forms and its number (contract document 2, part A). */

import { describe, expect, it } from 'vitest'
import { INTERFACES, type Interface } from '../support/both-interfaces.ts'
import { withField, withoutField } from '../support/fields.ts'
import { type Body, CARD, unique } from '../support/fixtures/fixture.ts'
import { prepaid } from '../support/fixtures/prepaid.ts'
import { flat, INFO, money, nested, post, recharge, stack, token, useRecharges } from './prepaid.ts'

useRecharges()

const NUMBER = 'rechargeTransaction.mobileNumber'

/** Posts over one interface as a client of its own. */
const create = (api: Interface, body: Body, as = token) => api.create(stack, prepaid, as, body)

describe.each(INTERFACES)('over $id', api => {
  it('PRE-01 takes the nested form and the flat one', async () => {
    const ids = [await create(api, nested(0.5)), await create(api, flat(0.5))]
    expect(ids.map(({ status, transactionOperationStatus }) => [status, transactionOperationStatus])).toEqual(
      [
        [201, 'processing'],
        [201, 'processing'],
      ],
    )
  })

  it('PRE-02 takes both forms when they say the same', async () => {
    const both = { ...money(0.5), isVatIncluded: false, rechargeInformation: money(0.5) }
    expect(await create(api, recharge(both))).toMatchObject({ status: 201 })
  })

  const NAMED = { mobileNumber: { mobileNumber: '+96892000002' } }
  const refused: [string, Body, string][] = [
    [
      'both forms, different amounts',
      recharge({ ...money(1), rechargeInformation: money(2) }),
      `${INFO}.amount`,
    ],
    [
      'both forms, different flags',
      recharge({ isVatIncluded: true, rechargeInformation: money(2) }),
      'isVatIncluded',
    ],
    ['no rechargeInfo', recharge(undefined), 'nothing to post'],
    ['an empty rechargeInfo', recharge({}), 'nothing to post'],
    ['the flat form without amount', withoutField(flat(1), `${INFO}.amount`), 'nothing to post'],
    [
      'the flat form without currency',
      withoutField(flat(1), `${INFO}.currency`),
      `${INFO}.currency is required`,
    ],
    [
      'the flat form without description',
      withoutField(flat(1), `${INFO}.description`),
      `${INFO}.description is required`,
    ],
    ['another number inside', recharge({ ...money(1), ...NAMED }), `${INFO}.mobileNumber.mobileNumber`],
    [
      'a number inside that is none',
      recharge({ ...money(1), mobileNumber: { mobileNumber: 'x' } }),
      'phone number',
    ],
    ['a flat amount with 4 decimals', flat(1.0001), `${INFO}.amount`],
    ['a nested amount of 0', nested(0), `${INFO}.rechargeInformation.amount`],
    [
      'an item with 4 decimals',
      recharge({ ...money(1), amountDetails: [money(1.0001)] }),
      'amountDetails[0].amount',
    ],
    ['a postpaid number', nested(1, '96891000001'), NUMBER],
    ['a prepaid number that is not active', nested(1, '96892000003'), NUMBER],
    ['a number of another operator', nested(1, '971501234567'), NUMBER],
    ['a fixed line', nested(1, '96824000003'), NUMBER],
  ]
  it.each(refused)('PRE-03 refuses %s', async (_, body, path) => {
    const { status, code, message } = await create(api, body)
    expect([status, code]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(message).toContain(path)
  })

  it('PRE-04 takes the same number inside, however it is written', async () => {
    const same = { ...money(0.5), mobileNumber: { mobileNumber: '+96892000001' } }
    expect(await create(api, recharge(same, '92000001'))).toMatchObject({ status: 201 })
  })

  it('PRE-20 takes the number inside alone, and echoes it there', async () => {
    const body = withoutField(
      recharge({ ...money(0.5), mobileNumber: { mobileNumber: '+96892000001' } }),
      NUMBER,
    )
    expect(await create(api, body)).toMatchObject({ status: 201 })
    const { status, body: created } = await post(
      withField(body, 'rechargeTransaction.clientCorrelatorId', unique()),
    )
    expect(status).toBe(201)
    expect(created.rechargeTransaction).not.toHaveProperty('mobileNumber')
    expect(created.rechargeTransaction.rechargeInfo.mobileNumber).toEqual({ mobileNumber: '+96892000001' })
    const row = await stack.app.db.recharge.findUnique({ where: { id: created.rechargeId } })
    expect(row).toMatchObject({ mobileNumber: '96892000001' })
  })

  it.each([
    ['that is none', 'x', 'phone number'],
    ['that is not prepaid', '96891000001', 'is not a prepaid number'],
  ])('PRE-21 refuses a number inside alone %s, by its path', async (_, mobileNumber, says) => {
    const body = withoutField(recharge({ ...money(0.5), mobileNumber: { mobileNumber } }), NUMBER)
    const { status, code, message } = await create(api, body)
    expect([status, code]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(message).toContain(`${INFO}.mobileNumber.mobileNumber`)
    expect(message).toContain(says)
  })

  it('PRE-22 takes the number of a bound token inside alone, and no other', async () => {
    const bound = await stack.token({ id: `bound-${unique()}`, role: 'partner', phoneNumber: '96892000002' })
    const named = (mobileNumber: string) =>
      withoutField(recharge({ ...money(0.5), mobileNumber: { mobileNumber } }), NUMBER)
    expect(await create(api, named('92000002'), bound)).toMatchObject({ status: 201 })
    expect(await create(api, named('92000001'), bound)).toMatchObject({
      status: 403,
      code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT',
    })
  })

  it('PRE-05 a bound token fills in the number and refuses every other, inside as well', async () => {
    const bound = await stack.token({ id: `bound-${unique()}`, role: 'partner', phoneNumber: '96892000002' })
    expect(await create(api, withoutField(flat(0.5), NUMBER), bound)).toMatchObject({ status: 201 })
    const context = { status: 403, code: 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT' }
    expect(await create(api, flat(0.5), bound)).toMatchObject(context)
    const inner = recharge({ ...money(1), mobileNumber: { mobileNumber: '92000001' } }, '96892000002')
    expect(await create(api, inner, bound)).toMatchObject(context)
  })

  it('PRE-06 of a card only the authorization code is needed; a number must pass the Luhn check', async () => {
    const client = await stack.token({ id: `cards-${unique()}`, role: 'partner' })
    const card = (details: object) =>
      recharge({ ...money(0.5), rechargeMetaData: { creditCardDetails: details } })
    expect(await create(api, card({ authorizationCode: '1' }), client)).toMatchObject({ status: 201 })
    const wrong = await create(api, card({ ...CARD, cardNumber: '4111111111111112' }), client)
    expect([wrong.status, wrong.message]).toEqual([
      400,
      expect.stringContaining('creditCardDetails.cardNumber'),
    ])
  })

  it('PRE-07 the limits of a client count per number, a month long', async () => {
    const limits = { maxAmount: '5', monthlyAmount: '6' }
    const client = await stack.token({ id: `limits-${unique()}`, role: 'partner', ...limits })
    const over = (code: string) => ({ status: 403, code: `CARRIER_BILLING.${code}` })
    expect(await create(api, flat(5.001), client)).toMatchObject(over('UNAUTHORIZED_AMOUNT'))
    expect(await create(api, flat(5), client)).toMatchObject({ status: 201 })
    expect(await create(api, nested(1.001), client)).toMatchObject(over('USER_AMOUNT_THRESHOLD_OVERPASSED'))
    expect(await create(api, flat(5, '96892000002'), client)).toMatchObject({ status: 201 })
    expect(await create(api, nested(1), client)).toMatchObject({ status: 201 })
  })
})
