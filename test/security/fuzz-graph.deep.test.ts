/** Operations generated from the schema: every response carries the catalogue's errors and nothing else. */
import { afterAll, beforeAll } from 'vitest'
import { audit } from '../support/audit.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { fuzz } from './support/fuzz.ts'
import { makeOperation } from './support/graph-cases.ts'
import { type GraphCase, makeGraphCase } from './support/graph-requests.ts'
import { type History, postHistory } from './support/history.ts'
import { faultsOfGraph } from './support/judge.ts'
import { issueTokens } from './support/parties.ts'
import { supergraphSchema } from './support/schemas.ts'

const schema = supergraphSchema()
let stack: Stack
let tokens: string[]
let history: History
const logLines: string[] = []

beforeAll(async () => {
  stack = await startStack({ logLines })
  tokens = await issueTokens(stack)
  history = await postHistory(stack.address, tokens[0]!, stack.settled)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const send = async (made: GraphCase): Promise<string[]> => {
  const { method, path, headers, raw } = made
  const response = await fetch(stack.address + path, { method, headers, body: raw })
  const answered = { status: response.status, headers: response.headers, text: await response.text() }
  return faultsOfGraph(made, answered)
}

audit('SECURITY-FUZZ', [
  [
    '10',
    'MUST answer any operation within the catalogue',
    () =>
      fuzz({
        what: 'graph',
        long: 20_000,
        make: draw => makeGraphCase(draw, makeOperation(draw, schema, history), tokens),
        send,
        logLines,
      }),
  ],
])
