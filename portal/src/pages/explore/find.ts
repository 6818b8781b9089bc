/** Finds what a person typed: a number, an account, a name, a transaction's id, or a correlator. */

import type { GraphFault } from '../../graph/errors.ts'
import { sendToGraph } from '../../graph/use-graph.ts'
import { pageConfig } from '../../page-config.ts'
import {
  FindAccountDocument,
  FindByCorrelatorDocument,
  type FindByCorrelatorQuery,
  FindByTextDocument,
  FindCustomersDocument,
  type FindCustomersQuery,
  FindSubscriberDocument,
  FindTransactionDocument,
  type FoundEntryFragment,
} from './find.generated.ts'
import { asPhoneNumber, westernDigits } from './typed-number.ts'

export type FoundCustomer = NonNullable<FindCustomersQuery['customers']>['nodes'][number]

type FoundSteps = NonNullable<FindByCorrelatorQuery['journey']>['steps']

export interface Found {
  /** The only thing that fits: its path. */
  readonly path?: string
  readonly customers: readonly FoundCustomer[]
  readonly entries: readonly FoundEntryFragment[]
  /** Steps of requests with this correlator that posted nothing: why they were refused. */
  readonly steps: FoundSteps
  readonly hasMore: boolean
  readonly faults: readonly GraphFault[]
}

const UUID = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i

/** Blanks that come with what is dictated, or copied from a letter. */
const BLANKS = /\s+/g

export const customerPath = (account: string): string => `/explore/customers/${encodeURIComponent(account)}`
export const numberPath = (number: string): string => `/explore/numbers/${encodeURIComponent(number)}`
export const transactionPath = (id: string): string => `/explore/transactions/${encodeURIComponent(id)}`

const findNumber = async (typed: string) => {
  const number = asPhoneNumber(typed)
  if (number === undefined) return undefined
  const { data } = await sendToGraph(FindSubscriberDocument, { number })
  return data?.subscriber ?? undefined
}

const findAccount = async (typed: string) => {
  const account = westernDigits(typed).trim()
  if (!/^[\w-]{3,30}$/.test(account)) return undefined
  const { data } = await sendToGraph(FindAccountDocument, { account })
  return data?.customer ?? undefined
}

/** Words that the search of customers takes: with three letters or digits in one of them. */
const findCustomers = async (typed: string) => {
  const text = asPhoneNumber(typed) ?? westernDigits(typed)
  if (text.length > 64 || !/[\p{L}\p{N}]{3}/u.test(text)) return undefined
  const { data } = await sendToGraph(FindCustomersDocument, { text })
  return data?.customers ?? undefined
}

const findTransaction = async (typed: string) => {
  const [whole, ...parts] = UUID.exec(typed.replaceAll(BLANKS, '')) ?? []
  if (whole === undefined) return undefined
  const id = parts.join('-').toLowerCase()
  const { data } = await sendToGraph(FindTransactionDocument, { id })
  return data?.transaction ?? undefined
}

/** Signs of an `x-correlator` (docs/decisions.md, "Failures"). */
const CORRELATOR = /^[A-Za-z0-9\-_:;./<>{}]{1,256}$/

/**
 * Ways to write the correlator that was typed. None has a blank, so blanks are those of a person who reads it out: between
 * groups of signs, or in the place of its dashes.
 */
const correlatorsOf = (typed: string): string[] => {
  const written = [typed.replaceAll(BLANKS, ''), typed.replaceAll(BLANKS, '-')]
  return [...new Set(written)].filter(one => CORRELATOR.test(one))
}

const findByCorrelator = async (typed: string) => {
  const asked = correlatorsOf(typed).map(correlator => sendToGraph(FindByCorrelatorDocument, { correlator }))
  const answers = (await Promise.all(asked)).map(({ data }) => data)
  return {
    entries: answers.flatMap(data => data?.timeline?.nodes ?? []),
    steps: answers.flatMap(data => data?.journey?.steps ?? []),
  }
}

const findByText = async (typed: string) => {
  const text = asPhoneNumber(typed)?.replace('+', '') ?? westernDigits(typed)
  return sendToGraph(FindByTextDocument, { text })
}

const unique = (entries: readonly FoundEntryFragment[]) => [
  ...new Map(entries.map(entry => [entry.transaction?.id ?? entry.description, entry])).values(),
]

/** Path of the only thing that fits, if it is the only one. */
const onlyPath = (
  customers: readonly FoundCustomer[],
  entries: readonly FoundEntryFragment[],
): string | undefined => {
  if (customers.length === 1 && entries.length === 0) return customerPath(customers[0]!.customerAccountNumber)
  const [first] = entries
  return customers.length === 0 && entries.length === 1 && first?.transaction
    ? transactionPath(first.transaction.id)
    : undefined
}

/** Path of the only transaction that steps are of: one that was found by its client's own correlator. */
const stepsPath = (steps: FoundSteps): string | undefined => {
  const ids = new Set(steps.flatMap(({ transactionId }) => transactionId ?? []))
  const [id] = ids
  return ids.size === 1 ? transactionPath(id!) : undefined
}

const NOTHING = { customers: [], entries: [], steps: [], hasMore: false, faults: [] }

/** Finds everything that fits. An exact number, account or id is the only thing that was meant. */
export async function find(typed: string): Promise<Found> {
  const text = typed.trim()
  const [subscriber, account, transaction] = await Promise.all([
    findNumber(text),
    findAccount(text),
    findTransaction(text),
  ])
  if (transaction) return { ...NOTHING, path: transactionPath(transaction.id) }
  if (subscriber) return { ...NOTHING, path: numberPath(subscriber.mobileNumber) }
  if (account) return { ...NOTHING, path: customerPath(account.customerAccountNumber) }
  const [customers, exact, named] = await Promise.all([
    findCustomers(text),
    findByCorrelator(text),
    findByText(text),
  ])
  const entries = unique([...exact.entries, ...(named.data?.timeline?.nodes ?? [])])
  const found = customers?.nodes ?? []
  // A correlator that fits exactly is meant; a name is rather a customer's than a word of a description.
  const isMeant = exact.entries.length === 1
  const onlyOne = isMeant ? onlyPath([], exact.entries) : onlyPath(found, found.length === 1 ? [] : entries)
  const path = found.length + entries.length === 0 ? stepsPath(exact.steps) : onlyOne
  return {
    ...(path && { path }),
    customers: found,
    entries,
    steps: exact.steps.filter(({ transactionId }) => transactionId === null),
    hasMore: Boolean(customers?.pageInfo.hasNextPage || named.data?.timeline?.pageInfo.hasNextPage),
    faults: named.faults,
  }
}

/** Country code for hints. */
export const exampleNumber = (): string => `+${pageConfig.countryCode} 9100 0002`
