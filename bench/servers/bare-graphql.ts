/**
 * The analyst's query on a bare GraphQL server: graphql-js over the part of the schema that the query needs. A text is
 * parsed and validated once. Two ways of it, with the SQL of `bare-customer.ts`:
 * - `/graphql-js`: the one statement is the only resolver;
 * - `/graphql-js-fields`: each field that is more than a column has a resolver, and that a statement, as such servers
 *   usually are.
 */
import type { FastifyInstance } from 'fastify'
import { buildSchema, type DocumentNode, execute, parse, validate } from 'graphql'
import type pg from 'pg'
import { KIND, LINE, PARTS, readCustomer } from './bare-customer.ts'

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

const byStatement = (pool: pg.Pool) => ({
  async subscriber({ mobileNumber }: { mobileNumber: string }) {
    return (JSON.parse(await readCustomer(pool, mobileNumber)) as Answer).data.subscriber
  },
})

interface LineRow {
  readonly number: string
  readonly account_number: string
  readonly customer_name: string
  readonly customer_status: string
  readonly kind: string
}

const LINE_QUERY = `SELECT l.number, account_number, a.customer_name, a.customer_status, ${KIND} AS kind FROM ${LINE}`

/** A resolver of one field of the line's subscriber. */
const partOf =
  (pool: pg.Pool, { number, account_number }: LineRow) =>
  (name: keyof typeof PARTS) =>
  async () => {
    const text = `SELECT to_json(${PARTS[name]}) AS value FROM (SELECT $1::text AS number, $2::text AS account_number) l`
    const { rows } = await pool.query<{ value: unknown }>({ name, text, values: [number, account_number] })
    return rows[0]!.value
  }

const byFields = (pool: pg.Pool) => ({
  async subscriber({ mobileNumber }: { mobileNumber: string }) {
    const values = [mobileNumber.slice(1)]
    const [line] = (await pool.query<LineRow>({ name: 'line', text: LINE_QUERY, values })).rows
    if (!line) return null
    const part = partOf(pool, line)
    return {
      mobileNumber: `+${line.number}`,
      kind: line.kind,
      customer: {
        customerName: line.customer_name,
        customerStatus: line.customer_status,
        totalDues: part('totalDues'),
        payments: { totalCount: part('totalCount'), nodes: part('payments') },
      },
      prepaidBalance: part('prepaidBalance'),
      pointsBalance: part('pointsBalance'),
      recharges: { nodes: part('recharges') },
      rewards: { nodes: part('rewards') },
      redemptions: { nodes: part('redemptions') },
      messages: { nodes: part('messages') },
    }
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
  const ways = { '/graphql-js': byStatement(pool), '/graphql-js-fields': byFields(pool) }
  for (const [path, rootValue] of Object.entries(ways)) {
    server.post<Routes>(path, async ({ body: { query, variables: variableValues } }, reply) => {
      const result = await execute({ schema, document: documentOf(query), rootValue, variableValues })
      return reply.type('application/json').send(JSON.stringify(result))
    })
  }
}
