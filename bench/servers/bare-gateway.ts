/**
 * The hand-written side of P1: Fastify and an undici pool for each subgraph, the two steps of the query written out,
 * checking nothing but the token.
 */
import fastify from 'fastify'
import { Pool } from 'undici'
import { registerAccessLog } from '../lib/access-log.ts'
import { createVerify, requireToken } from './token.ts'

const { PORT, ISSUER, STUB_PORT } = process.env

const FIELDS = {
  billing: `kind customer { customerName customerStatus totalDues }
    payments { paymentId transactionOperationStatus amount { value currency } }`,
  prepaid: 'prepaidBalance { value currency } recharges { rechargeId amount { value currency } completedAt }',
  loyalty: 'pointsBalance rewards { rewardId points }',
}

const root = `query ($n: String!) { subscriber(mobileNumber: $n) { mobileNumber ${FIELDS.billing} } }`
const entity = (fields: string) =>
  `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Subscriber { ${fields} } } }`

/** One subgraph: an operation that is always the same, with these variables. */
const caller = <Data>(index: number, query: string) => {
  const pool = new Pool(`http://127.0.0.1:${Number(STUB_PORT) + index}`, { connections: 64 })
  const before = `{"query":${JSON.stringify(query)},"variables":`
  const headers = { 'content-type': 'application/json' }
  return async (variables: object) => {
    const request = { method: 'POST', path: '/graphql', headers } as const
    const { body } = await pool.request({ ...request, body: `${before}${JSON.stringify(variables)}}` })
    return ((await body.json()) as { data: Data }).data
  }
}

interface Entities {
  readonly _entities: readonly object[]
}

const askBilling = caller<{ subscriber: object }>(0, root)
const askPrepaid = caller<Entities>(1, entity(FIELDS.prepaid))
const askLoyalty = caller<Entities>(2, entity(FIELDS.loyalty))

interface Body {
  readonly variables: { readonly n: string }
}

const customer360 = async (n: string) => {
  const { subscriber } = await askBilling({ n })
  const representations = [{ __typename: 'Subscriber', mobileNumber: n }]
  const [prepaid, loyalty] = await Promise.all([
    askPrepaid({ representations }),
    askLoyalty({ representations }),
  ])
  const entities = [prepaid._entities[0], loyalty._entities[0]]
  return { data: { subscriber: Object.assign({}, subscriber, ...entities) } }
}

const server = fastify()
registerAccessLog(server)
requireToken(server, await createVerify(ISSUER!))
server.post<{ Body: Body }>('/graphql', ({ body }) => customer360(body.variables.n))
await server.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => process.exit(0))
