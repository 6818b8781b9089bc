/** Entity look-ups at each subgraph's own port, with keys that are there, missing, mistyped or another's. */
import { afterAll, beforeAll } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { type LoneSubgraphs, startSubgraphs } from '../support/subgraph.ts'
import { auditEach } from './support/audit-each.ts'
import { type EntityCase, makeEntityCase } from './support/entity-cases.ts'
import { fuzz } from './support/fuzz.ts'
import { faultsOfGraph } from './support/judge.ts'
import { issueTokens } from './support/parties.ts'

const NAMES = SERVICES.map(({ name }) => name)
let subgraphs: LoneSubgraphs
let tokens: string[]
const logLines: string[] = []

beforeAll(async () => {
  subgraphs = await startSubgraphs(NAMES, { logLines })
  tokens = await issueTokens(subgraphs as never)
})
afterAll(() => subgraphs?.[Symbol.asyncDispose]())

const sendTo = (name: string) => async (made: EntityCase) => {
  const { headers, raw } = made
  const response = await fetch(`${subgraphs.of(name).address}/graphql`, {
    method: 'POST',
    headers,
    body: raw,
  })
  const answered = { status: response.status, headers: response.headers, text: await response.text() }
  return faultsOfGraph({ method: 'POST', path: '/graphql', headers }, answered)
}

auditEach('SECURITY-FUZZ', NAMES, [
  [
    '20',
    'MUST answer any entity look-up within the catalogue',
    name =>
      fuzz({
        what: `_entities of ${name}`,
        long: Math.ceil(5_000 / NAMES.length),
        make: draw => makeEntityCase(draw, name, tokens),
        send: sendTo(name),
        logLines,
      }),
  ],
])
