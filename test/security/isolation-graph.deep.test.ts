/** Every id, cursor and filter of one client tried by others through every field of the graph that takes one. */
import { afterAll, beforeAll, expect } from 'vitest'
import { audit } from '../support/audit.ts'
import { mutationsOf, queriesOf } from './support/attempts.ts'
import { auditEach } from './support/audit-each.ts'
import { sampleOf } from './support/form.ts'
import { FOREIGN_NUMBER, type IsolationStage, openIsolation } from './support/isolation-stage.ts'
import { tryAll } from './support/leaks.ts'
import { supergraphSchema } from './support/schemas.ts'

const schema = supergraphSchema()
const INTRUDERS = ['partner-2', 'bound', 'bound-portal'] as const
let stage: IsolationStage
beforeAll(async () => {
  stage = await openIsolation()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const byName = (name: string) => stage.intruders.find(one => one.name === name)!

const send = async (query: string, token: string | undefined): Promise<string> => {
  const response = await fetch(`${stage.stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query }),
  })
  return response.text()
}

const BY_MESSAGE =
  'subscriber { mobileNumber kind prepaidBalance { value } pointsBalance customer { customerName custAddr1 custAddr2 totalDues subscribers { mobileNumber } } }'

const sendMessage = async (token: string) => {
  const input = `{ clientCorrelatorId: "iso-1", sender: "Me", recipient: "${FOREIGN_NUMBER}", smsText: "x" }`
  const { data } = JSON.parse(await send(`mutation { sendSms(input: ${input}) { otlTransactionId } }`, token))
  return data.sendSms.otlTransactionId as string
}

auditEach('SECURITY-ISOLATION', INTRUDERS, [
  [
    '01',
    'MUST show nothing of another by any query',
    name => tryAll('queries', byName(name), sampleOf(queriesOf(schema, stage), 30), send),
  ],
  [
    '02',
    'MUST change nothing of another, and say nothing of it, by any mutation that takes an id',
    async name => {
      const before = await stage.stack.app.db.delivery.findMany({ orderBy: { id: 'asc' } })
      const role = name === 'bound-portal' ? 'bound' : name
      await tryAll('mutations', byName(role), sampleOf(mutationsOf(schema, stage), 10), send)
      const due = (rows: typeof before) => rows.map(({ id, attempts, status }) => ({ id, attempts, status }))
      const after = await stage.stack.app.db.delivery.findMany({ orderBy: { id: 'asc' } })
      expect(due(after).length).toBe(due(before).length)
    },
  ],
])

audit('SECURITY-ISOLATION', [
  [
    '03',
    'MUST tell a bound partner nothing of a customer to whom it sent an SMS',
    async () => {
      const bound = byName('bound')
      const id = await sendMessage(bound.token)
      const queries = [
        `{ message(otlTransactionId: "${id}") { ${BY_MESSAGE} } }`,
        `{ messages(first: 5) { nodes { ${BY_MESSAGE} } } }`,
        `{ transaction(id: "${id}") { ${BY_MESSAGE} } }`,
        `{ timeline(first: 5) { nodes { transaction { ${BY_MESSAGE} } } } }`,
        `{ events(first: 5) { nodes { transaction { ${BY_MESSAGE} } } } }`,
        `{ message(otlTransactionId: "${id}") { customer { customerName custAddr1 custAddr2 totalDues } } }`,
      ]
      await stage.stack.settled()
      await tryAll('the message sent', bound, queries, send)
    },
  ],
  [
    '04',
    'MUST tell nothing at all without a token',
    async () => {
      const stranger = { ...byName('bound'), name: 'a stranger', token: '' }
      await tryAll('queries', stranger, sampleOf(queriesOf(schema, stage), 20), send)
    },
  ],
  [
    '05',
    'MUST be possible at all: the same queries are executed for their owner, and show what the others tried to see',
    async () => {
      const queries = sampleOf(queriesOf(schema, stage), 15)
      const refused: string[] = []
      for (const query of queries) {
        const { data, errors } = JSON.parse(await send(query, stage.owner))
        if (data === undefined) refused.push(`${JSON.stringify(errors).slice(0, 200)} ${query.slice(0, 200)}`)
      }
      // A few of the deepest ask for more than any operation may come to.
      expect(refused.filter(one => !one.includes('ask for smaller pages'))).toEqual([])
      expect(refused.length).toBeLessThan(queries.length / 10)
      const [payment] = stage.ids
      expect(await send(`{ payment(paymentId: "${payment}") { referenceCode } }`, stage.owner)).toContain(
        stage.references[0],
      )
    },
  ],
])
