/** Customers by conditions: dues, category, the last payment, the beginning of a number, and words, in either order. */
import { describe, expect, it } from 'vitest'
import { graphOf } from '../support/both-interfaces.ts'
import { stack, token, useInquiries } from './inquiry.ts'

useInquiries()

const QUERY = `query ($filter: CustomerFilter, $search: String, $orderBy: CustomerOrder, $first: Int, $after: String) {
  customers(filter: $filter, search: $search, orderBy: $orderBy, first: $first, after: $after) {
    totalCount nodes { customerAccountNumber totalDues acctCategory } pageInfo { hasNextPage endCursor } } }`

interface Node {
  readonly customerAccountNumber: string
  readonly totalDues: number
  readonly acctCategory: string | null
}

interface Page {
  readonly nodes: Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const ask = async (variables: object, by?: string) =>
  graphOf(stack)(QUERY, { token: by ?? (await stack.token('demo-analyst')), variables })

const list = async (filter: object, more: object = {}): Promise<Node[]> => {
  const { data, errors } = await ask({ filter, first: 200, ...more })
  expect(errors).toEqual([])
  expect(data.customers.totalCount).toBe(data.customers.nodes.length)
  return data.customers.nodes
}

const numbers = (nodes: readonly Node[]) => nodes.map(one => one.customerAccountNumber)

describe('customers', () => {
  it('CUST-01 MUST be all of the directory, by account number, without any condition', async () => {
    const all = await list({})
    expect(all).toHaveLength(await stack.app.db.account.count())
    expect(numbers(all)).toEqual(numbers(all).toSorted())
  })

  it('CUST-02 MUST be found by dues, by category, and by both', async () => {
    const all = await list({})
    const [low, high] = [1, 40]
    expect(numbers(await list({ minDues: low, maxDues: high }))).toEqual(
      numbers(all.filter(({ totalDues }) => totalDues >= low && totalDues <= high)),
    )
    const category = all.find(({ acctCategory }) => acctCategory)!.acctCategory!
    const wanted = all.filter(one => one.acctCategory === category)
    expect(numbers(await list({ category }))).toEqual(numbers(wanted))
    expect(numbers(await list({ category, minDues: '0.001' }))).toEqual(
      numbers(wanted.filter(({ totalDues }) => totalDues > 0)),
    )
    expect(await list({ category: 'nobody is of it' })).toEqual([])
  })

  it.each(['LARGEST_DUES_FIRST', 'SMALLEST_DUES_FIRST'])('CUST-03 MUST be paged by %s', async orderBy => {
    const pages: Node[] = []
    for (let after: string | null = null, more = true; more; ) {
      const { customers }: { customers: Page } = (await ask({ orderBy, first: 3, after })).data
      pages.push(...customers.nodes)
      after = customers.pageInfo.endCursor
      more = customers.pageInfo.hasNextPage
    }
    const all = await list({})
    expect(numbers(pages).toSorted()).toEqual(numbers(all))
    const dues = pages.map(({ totalDues }) => totalDues)
    const ascending = all.map(({ totalDues }) => totalDues).sort((a, b) => a - b)
    expect(dues).toEqual(orderBy === 'SMALLEST_DUES_FIRST' ? ascending : ascending.toReversed())
  })

  it('CUST-04 MUST be found by the time of the last payment that was carried out', async () => {
    const accountNumber = '100001'
    const now = new Date()
    const later = new Date(now.getTime() + 60_000).toISOString()
    const earlier = new Date(now.getTime() - 60_000).toISOString()
    const nobody = numbers(await list({ lastPaymentBefore: earlier }))
    const base = {
      clientId: 'x',
      position: 9_000_001n,
      clientPosition: 1n,
      createdAt: now,
      accountNumber,
      body: {},
    }
    const id = '01900000-0000-7000-8abc-000000000001'
    await stack.app.db.payment.create({ data: { ...base, id, status: 'denied' } })
    expect(numbers(await list({ lastPaymentBefore: earlier }))).toEqual(nobody)
    expect(nobody).toContain(accountNumber)
    await stack.app.db.payment.update({ where: { id }, data: { status: 'succeeded' } })
    expect(numbers(await list({ lastPaymentBefore: earlier }))).toEqual(
      nobody.filter(number => number !== accountNumber),
    )
    expect(numbers(await list({ lastPaymentBefore: later }))).toContain(accountNumber)
    await stack.app.db.payment.delete({ where: { id } })
  })

  it('CUST-05 MUST be found by the beginning of a number, and by words with conditions', async () => {
    for (const numberPrefix of ['91000001', '+968 9100 0001', '9689100000'])
      expect(numbers(await list({ numberPrefix }))).toContain('100001')
    expect(numbers(await list({ numberPrefix: '10000' }))).toEqual(numbers(await list({ search: '10000' })))
    expect(numbers(await list({ numberPrefix: '91000001' }, { search: 'salim' }))).toEqual(['100001'])
    expect(await list({ numberPrefix: '91000001', search: 'muna' })).toEqual([])
    expect(numbers(await list({ search: 'salim' }, { orderBy: 'LARGEST_DUES_FIRST' }))).toEqual(['100001'])
    expect(await list({ numberPrefix: '%%' })).toEqual([])
  })

  it.each([
    [{ numberPrefix: '9' }, 'TOO_SHORT', 'filter.numberPrefix'],
    [{ category: 'x'.repeat(257) }, 'TOO_LONG', 'filter.category'],
    [{ minDues: '1e20' }, 'TOO_GREAT', 'filter.minDues'],
    [{ search: 'ab' }, 'TOO_SHORT', 'search'],
  ])('CUST-06 MUST refuse %j', async (filter, reason, field) => {
    const { errors } = await ask({ filter })
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', reason, field } }])
  })

  it('CUST-07 MUST be for portals and analysts, a cursor for its own order, a bound token its own account', async () => {
    expect((await ask({ filter: {} }, token)).errors).toMatchObject([
      { extensions: { code: 'PERMISSION_DENIED' } },
    ])
    const { endCursor } = (await ask({ first: 1 })).data.customers.pageInfo
    expect((await ask({ after: endCursor, orderBy: 'LARGEST_DUES_FIRST' })).errors).toMatchObject([
      { extensions: { reason: 'BAD_CURSOR' } },
    ])
    const bound = await stack.token({ id: 'cust-bound', role: 'analyst', phoneNumber: '96891000001' })
    const { data } = await ask({ filter: { minDues: -1_000_000 } }, bound)
    expect(numbers(data.customers.nodes)).toEqual(['100001'])
  })
})
