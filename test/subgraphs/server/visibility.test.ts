/** Entities at the port of each service: what a token that is bound to a number may not see is as if it were absent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#core/access/principal.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { createGraph } from '../../support/graph.ts'
import { type LoneSubgraphs, startSubgraphs } from '../../support/subgraph.ts'

const NUMBER = '96891000008'
const ROLES: readonly Role[] = ['partner', 'portal', 'analyst']
const QUERY = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }'

const subscriber = (mobileNumber: string) => ({ __typename: 'Subscriber', mobileNumber })
const customer = (customerAccountNumber: string) => ({ __typename: 'Customer', customerAccountNumber })

let subgraphs: LoneSubgraphs
beforeAll(async () => {
  subgraphs = await startSubgraphs(SERVICES.map(({ name }) => name))
})
afterAll(() => subgraphs[Symbol.asyncDispose]())

const boundToken = async (role: Role) => {
  const { access } = subgraphs.app
  const record = (await access.clients.find('demo-partner'))!
  return access.issuer!.issue({ ...record, role, phoneNumber: NUMBER })
}

const resolve = async (name: string, role: Role, r: object[]) => {
  const graph = createGraph(subgraphs.of(name).address)
  const { data, errors } = await graph(QUERY, { token: await boundToken(role), variables: { r } })
  expect(errors).toEqual([])
  return data._entities.map((one: object | null) => one !== null)
}

describe.each(SERVICES)('$name', ({ name }) => {
  it.each(ROLES)('SUBGRAPH-VISIBLE-01 MUST resolve the own subscriber of a bound %s alone', async role => {
    const r = [NUMBER, '96891000002', '96899999999'].map(number => subscriber(`+${number}`))
    expect(await resolve(name, role, r)).toEqual([true, false, false])
  })
})

describe.each(['postpaid-billing', 'activity'])('%s', name => {
  it.each(ROLES)('SUBGRAPH-VISIBLE-02 MUST resolve the own customer of a bound %s alone', async role => {
    const r = ['100008', '100002', '999999'].map(customer)
    expect(await resolve(name, role, r)).toEqual([true, false, false])
  })
})
