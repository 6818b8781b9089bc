/**
 * The analyst's query on a bare GraphQL server: graphql-js over the part of the schema that the query needs, with the
 * one statement of `bare-customer.ts` as its only resolver. A text is parsed and validated once.
 */
import type { FastifyInstance } from 'fastify'
import { buildSchema, type DocumentNode, execute, parse, validate } from 'graphql'
import type pg from 'pg'
import { readCustomer } from './bare-customer.ts'

const schema = buildSchema(`
  scalar PhoneNumber
  scalar Decimal
  scalar DateTime
  type Query { subscriber(mobileNumber: PhoneNumber!): Subscriber }
  type Money { value: Decimal! currency: String! }
  type Subscriber {
    mobileNumber: PhoneNumber! kind: SubscriberKind customer: Customer prepaidBalance: Money pointsBalance: Decimal
    recharges(first: Int): Recharges! rewards(first: Int): Rewards! redemptions(first: Int): Redemptions!
    messages(first: Int): Messages!
  }
  enum SubscriberKind { PREPAID POSTPAID FAX DATA }
  type Customer { customerName: String customerStatus: String totalDues: Decimal payments(first: Int): Payments! }
  type Payments { totalCount: Int! nodes: [Payment!]! }
  type Payment { paymentId: ID! transactionOperationStatus: String! amount: Money }
  type Recharges { nodes: [Recharge!]! }
  type Recharge { rechargeId: ID! amount: Money completedAt: DateTime }
  type Rewards { nodes: [Reward!]! }
  type Reward { rewardId: ID! points: Decimal }
  type Redemptions { nodes: [Redemption!]! }
  type Redemption { redemptionId: ID! points: Decimal transactionOperationStatus: String! }
  type Messages { nodes: [Message!]! }
  type Message { otlTransactionId: ID! transactionOperationStatus: String! }`)

interface Answer {
  readonly data: { readonly subscriber: object | null }
}

const rootOf = (pool: pg.Pool) => ({
  async subscriber({ mobileNumber }: { mobileNumber: string }) {
    return (JSON.parse(await readCustomer(pool, mobileNumber)) as Answer).data.subscriber
  },
})

const documents = new Map<string, DocumentNode>()

/** @throws GraphQLError for a text that does not parse or is not valid. */
const documentOf = (query: string): DocumentNode => {
  const known = documents.get(query)
  if (known) return known
  const document = parse(query)
  const [fault] = validate(schema, document)
  if (fault) throw fault
  documents.set(query, document)
  return document
}

interface Routes {
  Body: { query: string; variables: Record<string, unknown> }
}

export function registerGraphql(server: FastifyInstance, pool: pg.Pool): void {
  const rootValue = rootOf(pool)
  server.post<Routes>('/graphql-js', async ({ body: { query, variables: variableValues } }, reply) => {
    const result = await execute({ schema, document: documentOf(query), rootValue, variableValues })
    return reply.type('application/json').send(JSON.stringify(result))
  })
}
