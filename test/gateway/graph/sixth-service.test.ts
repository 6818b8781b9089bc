import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadServices } from '../../../gateway/load-services.ts'
import { compose, subgraphDocuments } from '../../../gateway/supergraph/document.ts'
import { typeDefsOf } from '../../../subgraphs/shared/contract/sdl.ts'
import parking from '../../support/sixth/index.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const DOCUMENTS = `${import.meta.dirname}/../../support/sixth`

describe('a sixth service', () => {
  let stack: Stack
  let authorization: string

  beforeAll(async () => {
    const sixth = {
      name: 'parking',
      url: 'http://127.0.0.1:4099/graphql',
      typeDefs: typeDefsOf('parking', DOCUMENTS),
    }
    stack = await startStack({
      parts: async app => ({
        services: [...(await loadServices(app)), parking(app)],
        supergraphSdl: compose([...subgraphDocuments(), sixth]),
      }),
    })
    authorization = `Bearer ${await stack.token('demo-analyst')}`
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  it('ADD-01 serves REST from its document', async () => {
    const response = await fetch(`${stack.address}/parking/v1/tickets/7`, { headers: { authorization } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ticketId: '7', place: 'Muttrah Corniche' })
  })

  it('ADD-02 refuses REST without a token, as every service does', async () => {
    const response = await fetch(`${stack.address}/parking/v1/tickets/7`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'UNAUTHORIZED', status: '401' })
  })

  it('ADD-03 stands in the graph, linked to the others by mobile number', async () => {
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: '{ ticket(ticketId: "7") { place subscriber { customer { customerName } } } }',
      }),
    })
    const customer = { customerName: 'Salim Al Harthy' }
    expect(await response.json()).toEqual({
      data: { ticket: { place: 'Muttrah Corniche', subscriber: { customer } } },
    })
  })
})
