/** Search: customers by number, name and account, and the list of partners. */

import { describe, expect, it } from 'vitest'
import { graphOf } from '../support/both-interfaces.ts'
import { stack, token, useInquiries } from './inquiry.ts'

useInquiries()

describe('search', () => {
  const SEARCH = `query ($search: String!, $first: Int, $after: String) {
    customers(search: $search, first: $first, after: $after) {
      totalCount nodes { customerAccountNumber customerName } pageInfo { hasNextPage endCursor } } }`

  const search = async (text: string, by: string, more = {}) =>
    graphOf(stack)(SEARCH, { token: by, variables: { search: text, ...more } })

  const found = async (text: string, by: string) => {
    const { data } = await search(text, by)
    const accounts = data.customers.nodes.map(
      (node: { customerAccountNumber: string }) => node.customerAccountNumber,
    )
    expect(data.customers.totalCount).toBe(accounts.length)
    return accounts
  }

  it('SEARCH-01 MUST find by the beginning of the account number, words of the name in any case, and numbers as typed', async () => {
    const portal = await stack.token('demo-portal')
    expect(await found('10000', portal)).toEqual(Array.from({ length: 8 }, (_, i) => `10000${i + 1}`))
    for (const text of [
      'salim',
      'SALIM AL',
      'har sal',
      '91000001',
      '96891000001',
      '+968 9100 0001',
      '100001',
    ])
      expect(await found(text, portal), text).toEqual(['100001'])
    expect(await found('24000003', portal)).toEqual(['100003'])
    for (const text of ['alim', 'salim muna', '91000001x'])
      expect(await found(text, portal), text).toEqual([])
  })

  it('SEARCH-02 MUST page without leaving out or repeating one', async () => {
    const analyst = await stack.token('demo-analyst')
    const pages: string[] = []
    for (let after: string | undefined, more = true; more; ) {
      const { customers } = (await search('1000', analyst, { first: 3, after })).data
      pages.push(
        ...customers.nodes.map((one: { customerAccountNumber: string }) => one.customerAccountNumber),
      )
      after = customers.pageInfo.endCursor
      more = customers.pageInfo.hasNextPage
    }
    expect(pages).toEqual(await found('1000', analyst))
  })

  it.each(['ab', '', 'a b c', 'x'.repeat(65), 'aaa b c d e f g h i j k', 'abc\0'])(
    'SEARCH-03 MUST refuse %j',
    async text => {
      const { errors } = await search(text, await stack.token('demo-portal'))
      expect(errors).toMatchObject([{ path: ['customers'], extensions: { code: 'INVALID_ARGUMENT' } }])
    },
  )

  it('SEARCH-04 MUST be refused to partners, as is the list of partners', async () => {
    const { errors } = await search('salim', token)
    const list = await graphOf(stack)('{ partners { totalCount } }', { token })
    for (const [error] of [errors, list.errors]) expect(error!.extensions.code).toBe('PERMISSION_DENIED')
  })

  it('SEARCH-05 MUST find for a bound portal the account of its number alone, and list it no partners', async () => {
    const own = await stack.token({ id: 'bound-searcher', role: 'portal', phoneNumber: '96891000003' })
    expect(await found('10000', own)).toEqual(['100003'])
    expect(await found('91000001', own)).toEqual([])
    const { errors } = await graphOf(stack)('{ partners { totalCount } }', { token: own })
    expect(errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
  })

  it('SEARCH-06 MUST list partners page by page, without secrets', async () => {
    const LIST = `query ($after: String) { partners(first: 1, after: $after) {
      totalCount nodes { id name role active } pageInfo { endCursor } } }`
    const portal = await stack.token('demo-portal')
    const one = (await graphOf(stack)(LIST, { token: portal })).data.partners
    const { data } = await graphOf(stack)(LIST, {
      token: portal,
      variables: { after: one.pageInfo.endCursor },
    })
    expect(data.partners.totalCount).toBe(one.totalCount)
    expect(data.partners.nodes[0].id > one.nodes[0].id).toBe(true)
    expect(data.partners.nodes[0]).toMatchObject({ role: 'partner', active: expect.any(Boolean) })
  })
})
