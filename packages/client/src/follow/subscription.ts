/** The subscription that WebSocket and server-sent events carry, and what its results mean. */
import { type Client, refusalOfGraph } from '../client.ts'
import type { Refusal } from '../errors.ts'
import { type FollowedEvent, type FollowFilter, Interruption, isPassingCode } from './event.ts'

const FIELDS = 'cursor eventid eventType eventTime kind status description transaction { id }'

/** An operation of the graph, as both protocols send it. */
interface Operation {
  readonly query: string
  readonly variables: object
}

/** @param selection further fields of `TransactionEvent`, such as `transaction { amount { value currency } }`. */
export const subscriptionOf = (
  after: string | undefined,
  filter: FollowFilter,
  selection: string,
): Operation => ({
  query: `subscription Follow($after: String, $filter: EventFilter) {
  transactionEvents(after: $after, filter: $filter) { ${FIELDS} ${selection} }
}`,
  variables: { after, filter },
})

interface GraphErrors {
  readonly message: string
  readonly extensions?: { readonly code?: string }
}

interface Node extends Omit<FollowedEvent, 'transactionId'> {
  readonly transaction: { readonly id: string } | null
}

/** A result of the subscription, as the server sends it. */
export interface FollowResult {
  readonly data?: { readonly transactionEvents?: Node | null } | null
  readonly errors?: readonly GraphErrors[]
}

const toEvent = <Event extends FollowedEvent>(node: Node): Event =>
  ({ ...node, transactionId: node.transaction?.id ?? '' }) as FollowedEvent as Event

/** Makes the error of a subscription that has ended: one that passes is an `Interruption`, any other a `Refusal`. */
export function failureOf(errors: readonly GraphErrors[], token: string): Interruption | Refusal {
  const refusal = refusalOfGraph(errors)
  if (refusal.code === 'UNAUTHORIZED')
    return new Interruption(refusal.message, { cause: refusal, refusedToken: token })
  return isPassingCode(refusal.code) ? new Interruption(refusal.message, { cause: refusal }) : refusal
}

/** Reads the event of a result. @throws Interruption or Refusal where it has none. */
export function eventOf<Event extends FollowedEvent>(
  { data, errors = [] }: FollowResult,
  token: string,
): Event {
  const node = data?.transactionEvents
  if (node) return toEvent(node)
  if (errors.length > 0) throw failureOf(errors, token)
  throw new Interruption('the server sent a result without an event')
}

/** Finds the cursor to begin after. The end of the log is read first, so that no event falls between the two requests. */
export async function beginInGraph<Event extends FollowedEvent>(
  client: Client,
  filter: FollowFilter,
  selection: string,
  from: 'now' | 'oldest',
  signal: AbortSignal,
): Promise<{ after: string; first?: Event }> {
  const { latestEventCursor } = await client.graph<{ latestEventCursor: string }>(
    '{ latestEventCursor }',
    {},
    signal,
  )
  if (from === 'now') return { after: latestEventCursor }
  const { events } = await client.graph<{ events: { nodes: Node[] } }>(
    `query Oldest($filter: EventFilter) {
      events(first: 1, orderBy: OLDEST_FIRST, filter: $filter) { nodes { ${FIELDS} ${selection} } }
    }`,
    { filter },
    signal,
  )
  const [node] = events.nodes
  return node ? { after: node.cursor, first: toEvent(node) } : { after: latestEventCursor }
}
