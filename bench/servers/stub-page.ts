/** A subgraph in memory that answers pages of transactions with many fields each. Both sides of P14 serve it. */
import { parse } from 'graphql'
import type { Stub } from './stub-subgraphs.ts'

const SDL = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { transactions(first: Int!): TransactionConnection! }
  type TransactionConnection { totalCount: Int! nodes: [Transaction!]! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  enum Kind { PAYMENT RECHARGE REWARD }
  enum Outcome { PENDING COMPLETED FAILED }
  type Money { value: Float! currency: String! }
  type Client { id: ID! name: String! active: Boolean! }
  type Subscriber { mobileNumber: String! kind: String! active: Boolean! }
  type Event { eventId: ID! status: String! at: String! description: String }
  type Transaction {
    id: ID! kind: Kind! outcome: Outcome! status: String! reason: String createdAt: String! completedAt: String
    channel: String merchant: String description: String clientCorrelatorId: String! referenceCode: String
    priority: Int! points: Float amount: Money fee: Money postedBy: Client! subscriber: Subscriber!
    events: [Event!]!
  }`

const money = (value: number) => ({ value, currency: 'OMR' })

const eventOf = (index: number) => (number: number) => ({
  eventId: `${index}-${number}`,
  status: number === 0 ? 'processing' : 'succeeded',
  at: `2026-11-20T06:15:0${number}.000Z`,
  description: null,
})

const transactionOf = (index: number) => ({
  id: `T-${index}`,
  kind: ['PAYMENT', 'RECHARGE', 'REWARD'][index % 3],
  outcome: ['COMPLETED', 'FAILED'][index % 2],
  status: 'succeeded',
  reason: index % 2 ? 'CHARGING.LIMIT' : null,
  createdAt: '2026-11-20T06:15:00.000Z',
  completedAt: '2026-11-20T06:15:01.000Z',
  channel: 'app',
  merchant: index % 5 ? `Merchant ${index % 20}` : null,
  description: `Transaction ${index} of the page`,
  clientCorrelatorId: `correlator-${index}`,
  referenceCode: `R-${index}`,
  priority: index % 10,
  points: index % 3 === 2 ? index : null,
  amount: money(index + 0.5),
  fee: null,
  postedBy: { id: `client-${index % 4}`, name: `Client ${index % 4}`, active: true },
  subscriber: { mobileNumber: `+9689100${index}`, kind: 'POSTPAID', active: true },
  events: [0, 1].map(eventOf(index)),
})

const ALL = Array.from({ length: 1_000 }, (_, index) => transactionOf(index))

/** The subgraph. */
export const PAGE: Stub = {
  name: 'transactions',
  typeDefs: parse(SDL),
  resolvers: {
    Query: {
      transactions: (_: unknown, { first }: { first: number }) => ({
        totalCount: ALL.length,
        nodes: ALL.slice(0, first),
        pageInfo: { hasNextPage: true, endCursor: String(first) },
      }),
    },
  },
}

/** A page with all fields. */
export const PAGE_QUERY = `query Page($first: Int!) {
  transactions(first: $first) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      id kind outcome status reason createdAt completedAt channel merchant description clientCorrelatorId
      referenceCode priority points
      amount { value currency } fee { value currency }
      postedBy { id name active } subscriber { mobileNumber kind active }
      events { eventId status at description }
    }
  }
}`
