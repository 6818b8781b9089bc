/** Events by long poll of `/partner/v1/events`: a request waits for up to half a minute, and says where the next begins. */
import type { Client } from '../client.ts'
import { jsonOf, refusalOf } from '../errors.ts'
import { type FollowedEvent, type FollowFilter, Interruption, isPassingStatus, type Way } from './event.ts'

/** Seconds for which the server holds a request without events. */
const WAIT_SECONDS = 30
/** Time in milliseconds beyond that until an answer is there. */
const ANSWER_MS = 15_000

/** An event as a webhook brings it, with its cursor. */
interface PolledEvent extends Pick<FollowedEvent, 'cursor' | 'kind' | 'eventid' | 'eventType' | 'eventTime'> {
  readonly eventDetail: Readonly<Record<string, unknown>>
}

interface Page {
  readonly events: readonly PolledEvent[]
  /** Where the next page begins, beyond events of other kinds too. */
  readonly cursor: string
}

/** Names that the contract's services have for their ids. */
const ID_FIELDS: Partial<Record<FollowedEvent['kind'], string>> = {
  PAYMENT: 'paymentId',
  RECHARGE: 'rechargeId',
  MESSAGE: 'otlTransactionId',
  REWARD: 'rewardId',
  REDEMPTION: 'redemptionId',
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const toEvent = (event: PolledEvent): FollowedEvent => {
  const { kind, eventDetail } = event
  return {
    ...event,
    status: eventDetail['status'] as FollowedEvent['status'],
    description: textOf(eventDetail['description']),
    transactionId: textOf(eventDetail[ID_FIELDS[kind] ?? '']),
  }
}

/** @throws TypeError for filters that the address does not know. */
const kindsOf = ({ kinds = [], ...others }: FollowFilter): readonly string[] => {
  const unknown = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (unknown.length === 0) return kinds
  throw new TypeError(
    `long poll narrows by kinds alone, not by ${unknown.join(', ')}: follow over websocket or sse`,
  )
}

/** Makes the way over long poll. It alone brings events of statements and endpoints beside those of transactions. */
export const overPoll = <Event extends FollowedEvent>(
  client: Client,
  filter: FollowFilter,
  selection: string,
): Way<Event> => {
  const kinds = kindsOf(filter)
  if (selection !== '')
    throw new TypeError(
      'long poll has the fields of an event alone: follow over websocket or sse to select more',
    )
  const read = async (after: string | undefined, wait: number, signal: AbortSignal): Promise<Page> => {
    const url = new URL('/partner/v1/events', client.address)
    if (after !== undefined) url.searchParams.set('after', after)
    if (kinds.length > 0) url.searchParams.set('kind', kinds.join())
    url.searchParams.set('wait', `${wait}`)
    const request = new Request(url, { headers: { accept: 'application/json' }, signal })
    const response = await client.fetch(request, wait * 1_000 + ANSWER_MS)
    const body = await jsonOf(response)
    if (response.ok) return body as Page
    const refusal = refusalOf(response, body)
    if (!isPassingStatus(response.status)) throw refusal
    throw new Interruption(refusal.message, { cause: refusal, retryAfterMs: refusal.retryAfterMs })
  }
  return {
    begin: async (from, signal) => ({
      after: from === 'now' ? (await read('now', 0, signal)).cursor : undefined,
    }),
    async *open(start, signal, onOpen) {
      let after = start
      // The first answer comes at once, so that a caller knows that the server is there.
      for (let wait = 0; ; wait = WAIT_SECONDS) {
        const { events, cursor } = await read(after, wait, signal)
        if (wait === 0) onOpen()
        for (const event of events) yield toEvent(event) as Event
        after = cursor
      }
    },
  }
}
