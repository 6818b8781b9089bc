/** Entities of each service alone. */

import { describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { ask, ENTITIES, other, subgraphs, token, useLoneSubgraphs } from './lone.ts'

useLoneSubgraphs()

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

describe.each(FIXTURES)('$typename', ({ name, typename, idField, path, body }) => {
  const post = async (as: string): Promise<string> => {
    const response = await fetch(subgraphs.of(name).address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
      body: JSON.stringify(body()),
    })
    const answer = (await response.json()) as Record<string, string>
    expect([response.status, answer]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()])
    return answer[idField]!
  }
  const reference = (id: string) => ({ __typename: typename, [idField]: id })

  it('SUBGRAPH-SPEC-20 MUST resolve them in sequence, null for what is not known', async () => {
    const ids = [await post(token), UNKNOWN_ID, await post(token), 'no-id']
    const { data, errors } = await ask(name, ENTITIES(`... on ${typename} { ${idField} }`), {
      r: ids.map(reference),
    })
    expect(errors).toEqual([])
    expect(data._entities).toEqual([reference(ids[0]!), null, reference(ids[2]!), null])
  })

  it("SUBGRAPH-SPEC-21 MUST resolve another client's to null", async () => {
    const r = [reference(await post(other)), reference(await post(token))]
    const query = ENTITIES(`... on ${typename} { ${idField} }`)
    expect((await ask(name, query, { r })).data._entities).toEqual([null, r[1]])
    expect((await ask(name, query, { r }, other)).data._entities).toEqual([r[0], null])
  })
})

describe('owners', () => {
  const owners = SERVICES.filter(({ rest }) => rest)

  it.each(owners)('SUBGRAPH-SPEC-30 MUST resolve a number nobody has to null: $name', async ({ name }) => {
    const r = ['+96899999999', '+96891000001'].map(mobileNumber => ({
      __typename: 'Subscriber',
      mobileNumber,
    }))
    const { data } = await ask(name, ENTITIES('... on Subscriber { mobileNumber }'), { r })
    expect(data._entities).toEqual([null, r[1]])
  })

  it('SUBGRAPH-SPEC-31 MUST resolve accounts in sequence, null for one that nobody has', async () => {
    const r = ['100002', '999999', '100001'].map(customerAccountNumber => ({
      __typename: 'Customer',
      customerAccountNumber,
    }))
    const { data } = await ask('postpaid-billing', ENTITIES('... on Customer { customerName }'), { r })
    expect(data._entities).toMatchObject([
      { customerName: 'Muna Al Balushi' },
      null,
      { customerName: 'Salim Al Harthy' },
    ])
  })
})
