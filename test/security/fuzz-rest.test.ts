/** REST requests generated from the OpenAPI documents: every response is one of the contract. */
import { afterAll, beforeAll } from 'vitest'
import { audit } from '../support/audit.ts'
import { restOf } from '../support/both-interfaces.ts'
import { READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { fuzz } from './support/fuzz.ts'
import { faultsOfRest } from './support/judge.ts'
import { issueTokens } from './support/parties.ts'
import { makeRestCase, type RestCase } from './support/rest-cases.ts'

let stack: Stack
let tokens: string[]
const ids: string[] = []
const logLines: string[] = []

beforeAll(async () => {
  stack = await startStack({ logLines })
  tokens = await issueTokens(stack)
  for (const { path, idField, body } of READABLE) {
    const created = await restOf(stack)('POST', path, { token: tokens[0], body: body() })
    ids.push(created.body[idField])
  }
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const send = async (made: RestCase): Promise<string[]> => {
  const { method, path, headers, raw } = made
  const response = await fetch(stack.address + path, { method, headers, body: raw })
  const answered = { status: response.status, headers: response.headers, text: await response.text() }
  return faultsOfRest(made, answered)
}

audit('SECURITY-FUZZ', [
  [
    '01',
    'MUST answer any REST request within the contract',
    () =>
      fuzz({ what: 'REST', long: 20_000, make: draw => makeRestCase(draw, { tokens, ids }), send, logLines }),
  ],
])
