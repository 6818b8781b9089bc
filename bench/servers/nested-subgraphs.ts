/**
 * Four subgraphs of a shop, and one deeply nested query over them: the shape by which the field compares gateways. Every
 * subgraph adds fields to entities of the others, and the same few entities come back at each level.
 */
import { parse } from 'graphql'
import type { Stub } from './stub-subgraphs.ts'

interface User {
  readonly id: string
}

interface Product {
  readonly upc: string
}

interface ShippedProduct extends Product {
  readonly price?: number
  readonly weight?: number
}

interface Review {
  readonly id: string
  readonly author: number
  readonly product: number
}

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides", "@shareable"])'

const numbered = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const USERS = numbered(6, index => ({
  id: `u${index + 1}`,
  name: `Subscriber ${index + 1}`,
  username: `subscriber.${index + 1}`,
  birthday: 19_800_101 + index * 10_000,
}))

const PRODUCTS = numbered(5, index => ({
  upc: `p${index + 1}`,
  name: `Handset of series ${index + 1}`,
  price: 120 + index * 35,
  weight: 160 + index * 12,
  inStock: index % 2 === 0,
}))

/** Each product has two reviews, the first three. */
const REVIEWS: readonly Review[] = numbered(11, index => ({
  id: `r${index + 1}`,
  author: index % USERS.length,
  product: index % PRODUCTS.length,
}))

const BODY = 'It does what it should, and the battery lasts two days.'

const toReview = ({ id, author, product }: Review) => ({
  id,
  body: BODY,
  author: { id: USERS[author]!.id, username: USERS[author]!.username },
  product: { upc: PRODUCTS[product]!.upc },
})

const userOf = ({ id }: User) => USERS.find(user => user.id === id) ?? null
const productOf = ({ upc }: Product) => PRODUCTS.find(product => product.upc === upc) ?? null

const accounts: Stub = {
  name: 'accounts',
  typeDefs: parse(`${LINK}
    type Query { me: User users: [User!]! }
    type User @key(fields: "id") { id: ID! name: String! username: String! @shareable birthday: Int! }`),
  resolvers: {
    Query: { me: () => USERS[0], users: () => USERS },
    User: { __resolveReference: userOf },
  },
}

const inventory: Stub = {
  name: 'inventory',
  typeDefs: parse(`${LINK}
    type Product @key(fields: "upc") {
      upc: String!
      weight: Int @external
      price: Int @external
      inStock: Boolean!
      shippingEstimate: Int! @requires(fields: "price weight")
    }`),
  resolvers: {
    Product: {
      __resolveReference: (product: ShippedProduct) => ({ ...product, inStock: productOf(product)?.inStock }),
      shippingEstimate: ({ price = 0, weight = 0 }: ShippedProduct) => (price > 200 ? 0 : weight * 2),
    },
  },
}

const products: Stub = {
  name: 'products',
  typeDefs: parse(`${LINK}
    type Query { topProducts(first: Int = 5): [Product!]! }
    type Product @key(fields: "upc") { upc: String! name: String! price: Int weight: Int }`),
  resolvers: {
    Query: { topProducts: (_: unknown, { first }: { first: number }) => PRODUCTS.slice(0, first) },
    Product: { __resolveReference: productOf },
  },
}

const reviews: Stub = {
  name: 'reviews',
  typeDefs: parse(`${LINK}
    type Review @key(fields: "id") { id: ID! body: String! author: User! @provides(fields: "username") product: Product! }
    type User @key(fields: "id") { id: ID! username: String! @external reviews: [Review!]! }
    type Product @key(fields: "upc") { upc: String! reviews: [Review!]! }`),
  resolvers: {
    Review: {
      __resolveReference: ({ id }: { id: string }) => {
        const found = REVIEWS.find(review => review.id === id)
        return found ? toReview(found) : null
      },
    },
    User: {
      __resolveReference: (user: User) => user,
      reviews: ({ id }: User) => REVIEWS.filter(({ author }) => USERS[author]!.id === id).map(toReview),
    },
    Product: {
      __resolveReference: (product: Product) => product,
      reviews: ({ upc }: Product) =>
        REVIEWS.filter(({ product }) => PRODUCTS[product]!.upc === upc).map(toReview),
    },
  },
}

export const STUBS: readonly Stub[] = [accounts, inventory, products, reviews]

export const QUERY = `
  fragment UserFields on User { id username name birthday }
  fragment ReviewFields on Review { id body }
  fragment ProductFields on Product { upc name price weight inStock shippingEstimate }
  query Nested {
    users {
      ...UserFields
      reviews { ...ReviewFields product { ...ProductFields reviews { ...ReviewFields author {
        ...UserFields reviews { ...ReviewFields product { ...ProductFields } } } } } }
    }
    topProducts(first: 5) {
      ...ProductFields
      reviews { ...ReviewFields author { ...UserFields reviews { ...ReviewFields product { ...ProductFields
        reviews { ...ReviewFields author { ...UserFields } } } } } }
    }
  }`
