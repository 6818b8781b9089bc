/** The effects of a recharge: its balance, its form in the graph, the lists of a subscriber, eligibility. */

import { describe, expect, it } from 'vitest'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { prepaid } from '../support/fixtures/prepaid.ts'
import { startStack } from '../support/stack.ts'
import { flat, INFO, money, nested, post, recharge, stack, token, useRecharges } from './prepaid.ts'

useRecharges()

const ask = (query: string, variables?: object, as = token) => graphOf(stack)(query, { token: as, variables })

const balanceOf = async (number: string) => {
  const { data } = await ask(
    `{ subscriber(mobileNumber: "+${number}") { prepaidBalance { value currency } } }`,
  )
  return data.subscriber.prepaidBalance
}

describe('a recharge', () => {
  it('PRE-08 raises the prepaid balance once it is settled, and only then has a date', async () => {
    await stack.settled()
    const before = await balanceOf('96892000004')
    const { body: created } = await post(flat(1.125, '96892000004'))
    expect(created).not.toHaveProperty('rechargeDate')
    await stack.settled()
    const { body: settled } = await restOf(stack)('GET', `${prepaid.path}/${created.rechargeId}`, { token })
    expect(settled).toEqual({
      ...created,
      transactionOperationStatus: 'succeeded',
      rechargeDate: expect.stringMatching(/\+04:00$/),
    })
    const after = await balanceOf('96892000004')
    expect([after.value - before.value, after.currency]).toEqual([expect.closeTo(1.125, 6), 'OMR'])
  })

  it.each([
    ['nested', nested(0.25, '+96892000001')],
    ['flat', flat(0.25, '92000001')],
    ['nested and flat', recharge({ ...money(0.25), rechargeInformation: money(0.25) })],
  ])('PRE-09 comes back on REST in the form it was sent: %s', async (_, sent) => {
    const { body: created } = await post(sent)
    expect(created.rechargeTransaction).toEqual(sent['rechargeTransaction'])
    const { body: read } = await restOf(stack)('GET', `${prepaid.path}/${created.rechargeId}`, { token })
    expect(read.rechargeTransaction).toEqual(sent['rechargeTransaction'])
  })

  const READ = `query ($id: ID!) { recharge(rechargeId: $id) {
    rechargeTransaction { mobileNumber rechargeInfo {
      rechargeInformation { amount currency description isVatIncluded vatAmount isTaxIncluded taxAmount }
      rechargeMetaData { channel fee } amountDetails { amount isVatIncluded } } }
    amount { value currency } points subscriber { mobileNumber kind } customer { customerAccountNumber customerName } } }`

  it.each([
    ['nested', nested(0.25)],
    ['flat', flat(0.25, '92000001')],
  ])('PRE-10 has one form in the graph: %s', async (_, sent) => {
    const more = { rechargeMetaData: { channel: 'Web', fee: 1.5 }, amountDetails: [money(0.25)] }
    const info = { ...(fieldOf(sent, INFO) as object), ...more }
    const { body: created } = await post(withField(sent, INFO, info))
    const { data, errors } = await ask(READ, { id: created.rechargeId })
    expect(errors).toEqual([])
    const flags = { isVatIncluded: false, vatAmount: null, isTaxIncluded: false, taxAmount: null }
    expect(data.recharge).toEqual({
      rechargeTransaction: {
        mobileNumber: '+96892000001',
        rechargeInfo: {
          rechargeInformation: { ...money(0.25), ...flags },
          rechargeMetaData: { channel: 'Web', fee: 1.5 },
          amountDetails: [{ amount: 0.25, isVatIncluded: false }],
        },
      },
      amount: { value: 0.25, currency: 'OMR' },
      points: null,
      subscriber: { mobileNumber: '+96892000001', kind: 'PREPAID' },
      customer: { customerAccountNumber: '200001', customerName: 'Ahmed Al Siyabi' },
    })
  })

  it('PRE-11 whose number is no longer in use when it is settled has failed', async () => {
    await using own = await startStack()
    const [mine] = own.server.services.filter(({ name }) => name === 'prepaid')
    await mine!.stop()
    const { body } = await restOf(own)('POST', prepaid.path, { token: await own.token(), body: flat(1) })
    await own.app.db.line.updateMany({ where: { number: '96892000001' }, data: { active: false } })
    await mine!.start()
    await mine!.settled()
    const path = `${prepaid.path}/${body.rechargeId}`
    const { body: settled } = await restOf(own)('GET', path, { token: await own.token() })
    expect(settled).toMatchObject({ transactionOperationStatus: 'failed' })
    expect(settled).not.toHaveProperty('rechargeDate')
  })
})

describe('a subscriber', () => {
  it('PRE-12 has a prepaid balance only when the line is prepaid', async () => {
    expect(await balanceOf('96891000001')).toBeNull()
    const held = await stack.app.db.balance.findMany({ where: { holder: '96892000002', kind: 'prepaid' } })
    expect(await balanceOf('96892000002')).toEqual({ value: Number(held[0]!.amount), currency: 'OMR' })
  })

  it('PRE-13 has its recharges, newest first, as many as the caller may see', async () => {
    const mine = await stack.token({ id: 'lists', role: 'partner' })
    const ids: string[] = []
    for (const amount of [0.1, 0.2, 0.3])
      ids.push((await post(flat(amount, '96892000005'), mine)).body.rechargeId)
    const query = `{ subscriber(mobileNumber: "+96892000005") {
      recharges(first: 2) { totalCount nodes { rechargeId } pageInfo { hasNextPage } } } }`
    const read = async (as: string) => (await ask(query, {}, as)).data.subscriber.recharges
    const nodes = [{ rechargeId: ids[2] }, { rechargeId: ids[1] }]
    expect(await read(mine)).toEqual({ totalCount: 3, nodes, pageInfo: { hasNextPage: true } })
    expect((await read(await stack.token('demo-portal'))).nodes).toEqual(nodes)
    const other = await stack.token({ id: 'lists-2', role: 'partner' })
    expect((await read(other)).totalCount).toBe(0)
  })

  it('PRE-14 is found by its account in the filter of recharges', async () => {
    const mine = await stack.token({ id: 'by-account', role: 'partner' })
    for (const number of ['96892000004', '96892000005', '96892000001']) await post(flat(0.1, number), mine)
    const query = '{ recharges(filter: { customerAccountNumber: "200004" }) { totalCount nodes { id } } }'
    const { data } = await ask(query, {}, mine)
    expect([data.recharges.totalCount, data.recharges.nodes.length]).toEqual([2, 2])
  })
})

describe('rechargeEligibility', () => {
  const eligibility = async (number: string, amount: number, as = token) => {
    const query = `query ($amount: Decimal!) { subscriber(mobileNumber: "+${number}") {
      rechargeEligibility(amount: $amount) { eligible reasons } } }`
    const { data, errors } = await ask(query, { amount }, as)
    expect(errors).toEqual([])
    return data.subscriber.rechargeEligibility
  }

  it('PRE-15 says yes, and posts nothing', async () => {
    const portal = await stack.token('demo-portal')
    expect(await eligibility('96892000001', 5, portal)).toEqual({ eligible: true, reasons: [] })
    const client = await stack.token({ id: 'asks', role: 'partner', monthlyAmount: '10' })
    expect(await eligibility('96892000001', 10, client)).toEqual({ eligible: true, reasons: [] })
    expect((await ask('{ recharges { totalCount } }', {}, client)).data.recharges.totalCount).toBe(0)
  })

  it.each([
    ['an inactive number', '96892000003', 5, ['active']],
    ['a postpaid number', '96891000001', 5, ['prepaid']],
    ['an amount of 0', '96892000001', 0, ['greater than 0']],
    ['an amount with 4 decimals', '96892000001', 1.0001, ['3 decimals']],
    ['all at once', '96891000006', -1, ['active', 'prepaid', 'greater than 0']],
  ])('PRE-16 says no to %s, and why', async (_, number, amount, words) => {
    const { eligible, reasons } = await eligibility(number, amount)
    expect(eligible).toBe(false)
    expect(reasons).toEqual(words.map(word => expect.stringContaining(word)))
  })

  it('PRE-17 knows the limits of the partner that asks, and what it has used of them', async () => {
    const limits = { maxAmount: '5', monthlyAmount: '6' }
    const client = await stack.token({ id: 'eligible-limits', role: 'partner', ...limits })
    await post(flat(4), client)
    expect(await eligibility('96892000001', 2, client)).toEqual({ eligible: true, reasons: [] })
    expect((await eligibility('96892000001', 2.5, client)).reasons).toHaveLength(1)
    expect((await eligibility('96892000001', 5.5, client)).reasons).toHaveLength(2)
    expect(await eligibility('96892000002', 5, client)).toEqual({ eligible: true, reasons: [] })
  })
})
