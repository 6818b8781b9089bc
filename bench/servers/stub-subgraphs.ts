/** Three subgraphs in memory: one subscriber's customer, recharges and rewards. Both sides of P2 serve these. */
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/resolverMap.js'
import { type DocumentNode, parse } from 'graphql'

export interface Stub {
  readonly name: string
  readonly typeDefs: DocumentNode
  readonly resolvers: GraphQLResolverMap<unknown>
}

interface Subscriber {
  readonly mobileNumber: string
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
  type Money @shareable { value: Float! currency: String! }`

const five = <T>(make: (index: number) => T): T[] => Array.from({ length: 5 }, (_, index) => make(index))

const money = (value: number) => ({ value, currency: 'OMR' })

const reference = { __resolveReference: (subscriber: Subscriber) => subscriber }

const stub = (name: string, sdl: string, resolvers: GraphQLResolverMap<unknown>): Stub => ({
  name,
  typeDefs: parse(`${LINK}\n${sdl}`),
  resolvers,
})

const billing = stub(
  'billing',
  `type Query { subscriber(mobileNumber: String!): Subscriber }
   type Subscriber @key(fields: "mobileNumber") { mobileNumber: String! kind: String! customer: Customer! payments: [Payment!]! }
   type Customer { customerName: String! customerStatus: String! totalDues: Float! }
   type Payment { paymentId: ID! transactionOperationStatus: String! amount: Money! }`,
  {
    Query: { subscriber: (_: unknown, { mobileNumber }: Subscriber) => ({ mobileNumber }) },
    Subscriber: {
      ...reference,
      kind: () => 'POSTPAID',
      customer: ({ mobileNumber }: Subscriber) => ({
        customerName: `Customer ${mobileNumber}`,
        customerStatus: 'ACTIVE',
        totalDues: 45.75,
      }),
      payments: ({ mobileNumber }: Subscriber) =>
        five(n => ({
          paymentId: `${mobileNumber}-${n}`,
          transactionOperationStatus: 'succeeded',
          amount: money(n),
        })),
    },
  },
)

const prepaid = stub(
  'prepaid',
  `type Subscriber @key(fields: "mobileNumber") { mobileNumber: String! prepaidBalance: Money! recharges: [Recharge!]! }
   type Recharge { rechargeId: ID! amount: Money! completedAt: String! }`,
  {
    Subscriber: {
      ...reference,
      prepaidBalance: () => money(3.5),
      recharges: ({ mobileNumber }: Subscriber) =>
        five(n => ({
          rechargeId: `${mobileNumber}-${n}`,
          amount: money(n),
          completedAt: '2026-11-20T06:15:00.123Z',
        })),
    },
  },
)

const loyalty = stub(
  'loyalty',
  `type Subscriber @key(fields: "mobileNumber") { mobileNumber: String! pointsBalance: Float! rewards: [Reward!]! }
   type Reward { rewardId: ID! points: Float! }`,
  {
    Subscriber: {
      ...reference,
      pointsBalance: () => 1200,
      rewards: ({ mobileNumber }: Subscriber) =>
        five(n => ({ rewardId: `${mobileNumber}-${n}`, points: n * 10 })),
    },
  },
)

export const STUBS: readonly Stub[] = [billing, prepaid, loyalty]

/** The customer-360 query over them. */
export const QUERY = `query Customer360($n: String!) {
  subscriber(mobileNumber: $n) {
    mobileNumber kind
    customer { customerName customerStatus totalDues }
    payments { paymentId transactionOperationStatus amount { value currency } }
    prepaidBalance { value currency }
    recharges { rechargeId amount { value currency } completedAt }
    pointsBalance
    rewards { rewardId points }
  }
}`
