/** Checks of webhooks: each event arrived at its receiver, as it is, and in order. */
import type { History, Row } from '../history/history.ts'
import type { HookLine } from '../history/lines.ts'
import { kindOf } from '../kinds.ts'
import { type Check, group } from './check.ts'

interface Notification {
  readonly eventSubscriptionid?: string
  readonly event: {
    readonly eventid: string
    readonly eventType: string
    readonly eventDetail: Readonly<Record<string, string>>
  }
}

const notificationOf = ({ body }: HookLine) => body as Notification

const isTaken = ({ status }: HookLine): boolean => status >= 200 && status < 300

/** Attempts after which a delivery is given up, and a status that ends it at once. */
const ATTEMPTS = 8
const GONE = 410

/** When an event was first taken by its receiver, or given up. */
const endOf = (hooks: readonly HookLine[]): number => {
  const sorted = hooks.toSorted((a, b) => a.at - b.at)
  const last = sorted.findIndex(
    (hook, index) => isTaken(hook) || hook.status === GONE || index === ATTEMPTS - 1,
  )
  return sorted[last]?.at ?? Number.POSITIVE_INFINITY
}

/** Events that must have been told to a receiver. */
const expected = (history: History): { event: Row; receiver: string }[] => {
  const webhooks = new Map(
    history.posted
      .filter(({ kind, row }) => kind.callsWebhook && row['webhook_url'])
      .map(({ id, row }) => [id, row['webhook_url']!.split('/').at(-1)!]),
  )
  return history.rows('events.event').flatMap(event => {
    const receiver = webhooks.get(event['transaction_id']!)
    return receiver ? [{ event, receiver }] : []
  })
}

export const WEBHOOK_CHECKS: readonly Check[] = [
  {
    name: 'webhooks-arrive',
    claim: 'each event of a transaction with a webhook was taken by its receiver, which is well at the end',
    *find(history) {
      const taken = group(
        history.hooks.filter(isTaken),
        one => `${one.receiver} ${notificationOf(one).event.eventid}`,
      )
      for (const { event, receiver } of expected(history))
        if (!taken.has(`${receiver} ${event['eventid']}`)) {
          const delivery = history.rows('events.delivery').find(row => row['eventid'] === event['eventid'])
          const state = delivery
            ? `${delivery['status']} after ${delivery['attempts']} attempts, ${delivery['last_error']}`
            : 'there is no delivery'
          yield `event ${event['eventid']} of ${event['transaction_id']} never came to ${receiver}: ${state}`
        }
    },
  },
  {
    name: 'webhooks-tell-the-truth',
    claim:
      'what a receiver was told is an event of the log, field by field, of a transaction with this receiver',
    *find(history) {
      const events = new Map(
        expected(history).map(({ event, receiver }) => [event['eventid']!, { event, receiver }]),
      )
      for (const hook of history.hooks) {
        const { event, eventSubscriptionid } = notificationOf(hook)
        const found = events.get(event.eventid)
        if (!found || found.receiver !== hook.receiver) {
          yield `${hook.receiver} was told of event ${event.eventid}, which is not for it`
          continue
        }
        const {
          [kindOf(found.event['kind']!).idField]: id,
          clientCorrelatorId = null,
          status,
        } = event.eventDetail
        const told = [id, eventSubscriptionid, event.eventType, status, clientCorrelatorId]
        const logged = [
          found.event['transaction_id'],
          found.event['transaction_id'],
          found.event['event_type'],
          found.event['status'],
          found.event['client_correlator_id'] ?? null,
        ]
        if (told.join() !== logged.join())
          yield `${hook.receiver} was told ${told.join(' ')} by event ${event.eventid}, and the log says ${logged.join(' ')}`
      }
    },
  },
  {
    name: 'webhooks-in-order',
    claim:
      'the events of one transaction come in order: a later one not before the earlier was taken or given up',
    *find(history) {
      const positions = new Map(
        history.rows('events.event').map(row => [row['eventid']!, Number(row['position'])]),
      )
      const byTransaction = group(history.hooks, one => notificationOf(one).eventSubscriptionid ?? '')
      for (const [id, hooks] of byTransaction) {
        const ended = new Map(
          [...group(hooks, one => notificationOf(one).event.eventid)].map(([eventid, own]) => [
            eventid,
            endOf(own),
          ]),
        )
        for (const hook of hooks) {
          const { eventid } = notificationOf(hook).event
          const early = hooks.find(other => {
            const otherId = notificationOf(other).event.eventid
            const isEarlier = (positions.get(otherId) ?? 0) < (positions.get(eventid) ?? 0)
            return isEarlier && ended.get(otherId)! > hook.at
          })
          if (early) {
            yield `event ${eventid} of ${id} came before ${notificationOf(early).event.eventid} was taken or given up`
            break
          }
        }
      }
    },
  },
  {
    name: 'deliveries-match',
    claim: 'there is one delivery for each event that has a receiver, and it says what became of it',
    *find(history) {
      const deliveries = group(history.rows('events.delivery'), row => row['eventid']!)
      const wanted = new Set(expected(history).map(({ event }) => event['eventid']!))
      for (const eventid of wanted) {
        const own = deliveries.get(eventid) ?? []
        if (own.length !== 1) yield `event ${eventid} has ${own.length} deliveries`
        else if (own[0]!['status'] !== 'DELIVERED')
          yield `the delivery of event ${eventid} is ${own[0]!['status']}: ${own[0]!['last_error']}`
        else if (own[0]!['lease'] !== null)
          yield `the delivery of event ${eventid} is DELIVERED and still leased`
      }
    },
  },
]
