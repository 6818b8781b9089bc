/**
 * Operations whose answers may be given again (`core/answers/answer-store.ts`): queries of the database alone. Which root fields
 * those are is said here, one by one, so that a new field is executed each time until somebody has looked at what it depends on.
 */
import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode, visit } from 'graphql'
import { clientAlone } from '#core/access/visibility.ts'
import type { AnswerStore } from '#core/answers/answer-store.ts'
import { sharedKey } from '#core/async/single-flight.ts'
import type { GatewayContext } from './context.ts'

/** Root fields whose values depend on the database, the arguments and the client's visibility. */
export const OF_DATABASE: ReadonlySet<string> = new Set([
  'transaction',
  'timeline',
  'summary',
  'events',
  'latestEventCursor',
  'subscriber',
  'customer',
  'customers',
  ...['payment', 'recharge', 'message', 'reward', 'redemption'].flatMap(name => [name, `${name}s`]),
])

/**
 * Root fields whose values depend on more: on what this process counts or remembers, on the time of day, or on records that are
 * written of each request.
 */
export const OF_MORE: ReadonlySet<string> = new Set([
  'me',
  'webhookDeliveries',
  'webhookEndpoints',
  'journey',
  'requests',
  'requestSummary',
  'partners',
  'clientLimits',
  'auditLog',
  'accessRecords',
  'smsBatch',
])

/** Fields of other types that depend on more: on limits of the client, in the present month. */
export const FIELDS_OF_MORE: ReadonlySet<string> = new Set(['rechargeEligibility', 'rewardEligibility'])

/** Operation that a client asks. */
export interface AskedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly context: GatewayContext
}

/** Gives the answer before, or makes one; `bytesOf` is as in `Question`. */
export type AnswerOrRepeat = <Answer>(
  asked: AskedOperation,
  make: () => Promise<Answer>,
  bytesOf: (answer: Answer) => number | undefined,
) => Promise<Answer>

const rootFieldsOf = (document: DocumentNode, { selections }: SelectionSetNode): string[] =>
  selections.flatMap(one => {
    if (one.kind === Kind.FIELD) return [one.name.value]
    if (one.kind === Kind.INLINE_FRAGMENT) return rootFieldsOf(document, one.selectionSet)
    const fragment = document.definitions.find(
      found => found.kind === Kind.FRAGMENT_DEFINITION && found.name.value === one.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFieldsOf(document, fragment.selectionSet) : ['']
  })

/** Whether all that a valid operation selects is of the database. */
export const isOfDatabaseAlone = (document: DocumentNode, operation: OperationDefinitionNode): boolean => {
  if (operation.operation !== 'query') return false
  if (!rootFieldsOf(document, operation.selectionSet).every(name => OF_DATABASE.has(name))) return false
  let isAlone = true
  visit(document, {
    Field({ name }) {
      if (FIELDS_OF_MORE.has(name.value)) isAlone = false
    },
  })
  return isAlone
}

/** Executes every operation. */
export const executeAll: AnswerOrRepeat = (_, make) => make()

let last = 0

/**
 * Makes the function that answers operations; with no store each is executed.
 * @param answers the store, where every subgraph reads the database of this process.
 */
export const createAnswerOrRepeat = (answers: AnswerStore | undefined): AnswerOrRepeat => {
  if (!answers) return executeAll
  /** Numbers of operations, no two alike in this process; undefined for one that is executed each time. */
  const numbers = new WeakMap<OperationDefinitionNode, { readonly id: number | undefined }>()
  const idOf = ({ document, operation }: AskedOperation): number | undefined => {
    const known = numbers.get(operation)
    if (known) return known.id
    last += 1
    const id = isOfDatabaseAlone(document, operation) ? last : undefined
    numbers.set(operation, { id })
    return id
  }
  return (asked, make, bytesOf) => {
    const { context, variables } = asked
    const { caller, facts, delivery } = context
    const id = !delivery && !facts?.explanation ? idOf(asked) : undefined
    if (id === undefined) return make()
    const request = `${id} ${variables ? JSON.stringify(variables) : ''}`
    const key = sharedKey(clientAlone(caller.principal), request)
    return answers.answer({ key, trail: caller.trail, make, bytesOf })
  }
}
