/** What REST and GraphQL call alike for every kind of transaction. */

import type { Caller } from '../access/caller.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import type { Query } from '../values/query.ts'
import type { TransactionRow } from './kind.ts'
import type { NewTransaction } from './new-transaction.ts'
import type { Page } from './page.ts'
import type { TransactionStore } from './store.ts'

/** A service's own transactions: `Body` is what a row holds, `Request` what create takes. */
export interface TransactionService<Body, Request> {
  /**
   * Posts one; resolves when it is committed.
   * @param shape what the contract's schema refuses of the request: thrown with whatever the rules refuse of the rest.
   */
  create(caller: Caller, request: Request, shape?: ServiceError): Promise<TransactionRow<Body>>
  /** A page of what the caller may see (docs/decisions.md, "Lists"). */
  list(caller: Caller, query: Query): Promise<Page<Body>>
  /** @throws ServiceError NOT_FOUND when absent or another client's. */
  get(caller: Caller, id: string): Promise<TransactionRow<Body>>
}

/**
 * The service over a store.
 * @param validate the service's rules: a request in, a new transaction out, or a refusal.
 */
export const createTransactionService = <Body, Request>(
  store: TransactionStore<Body>,
  validate: (caller: Caller, request: Request) => Promise<NewTransaction>,
): TransactionService<Body, Request> => ({
  create: (caller, request, shape) => store.post(caller, request, () => validate(caller, request), shape),
  list: store.list,
  get: store.get,
})
