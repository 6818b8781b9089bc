/** The most that an operation may come to (`MAX_OPERATION_COST`), by the costs that the schema declares. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ env: { MAX_OPERATION_COST: '300' } })
})
afterAll(() => stack[Symbol.asyncDispose]())

const send = async (query: string) => {
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${await stack.token('demo-analyst')}`,
    },
    body: JSON.stringify({ query }),
  })
  const { errors } = (await response.json()) as { errors?: { message: string }[] }
  return [response.headers.get('x-operation-cost'), errors?.[0]?.message ?? null]
}

const REFUSAL = 'The operation can come to more than 300 fields: ask for smaller pages'

it.each<[string, string | null, string | null]>([
  ['{ payments(first: 149) { nodes { id } } }', '299', null],
  ['{ payments(first: 150) { nodes { id } } }', null, REFUSAL],
  ['{ payments { nodes { id } } }', '101', null],
  ['{ summary(by: ALL) { count completed } }', '30', null],
  ['{ summary(by: ALL, first: 5) { count } }', '15', null],
  ['{ payments(first: 30) { nodes { webhookDeliveries { id } } } }', '121', null],
])('COST-10 MUST count and limit %s', async (query, cost, message) => {
  // Once by Apollo, once by what the engine made of it.
  for (let time = 0; time < 2; time += 1) expect(await send(query)).toEqual([cost, message])
})
