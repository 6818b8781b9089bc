/** `Query.customers`: the accounts that a search finds, as entities that the caller may see. */
import type { FoundAccounts } from '../directory/search.ts'
import type { CountedConnection } from '../paging/keyset.ts'
import { customerOf } from './directory-entities.ts'
import type { CustomerEntity } from './entities.ts'
import type { GraphContext } from './loaders.ts'

/** A page of customers with its total. */
export type CustomerPage = CountedConnection<CustomerEntity>

/** The only account that a caller may find, by the number that its token is bound to; undefined for any. */
export const accountInContext = async ({
  caller: {
    principal: { phoneNumber },
  },
  loaders,
}: GraphContext): Promise<string | undefined> =>
  phoneNumber === undefined ? undefined : ((await loaders.line.load(phoneNumber))?.accountNumber ?? '')

/** The accounts as customers. */
export const toCustomers = async (found: FoundAccounts, context: GraphContext): Promise<CustomerPage> => {
  const edges = await Promise.all(
    found.edges.map(async ({ cursor, node }) => ({
      cursor,
      node: await customerOf(node.accountNumber, context),
    })),
  )
  const seen = edges.flatMap(({ cursor, node }) => (node ? [{ cursor, node }] : []))
  return { ...found, edges: seen, nodes: seen.map(({ node }) => node) }
}
