/** The end of a run: waits until nothing is under way, then lets every client read all that it may, and reads the tables. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from './clients/caller.ts'
import type { Partner } from './clients/partner.ts'
import type { Subscriber } from './clients/subscriber.ts'
import type { Recorder } from './history/recorder.ts'
import { KINDS } from './kinds.ts'

const HEAR_MS = 30_000
const LOOK_MS = 500
const QUIET_LOOKS = 4
const PAGE = 200

const UNDER_WAY = `{
  pending: timeline(filter: { outcomes: [PENDING] }) { totalCount }
  deliveries: webhookDeliveries(filter: { status: PENDING }) { totalCount }
  dead: webhookDeliveries(filter: { status: DEAD }) { totalCount } }`
const REDELIVER = `mutation ($since: DateTime!) {
  pending: redeliverWebhooks(filter: { status: PENDING })
  dead: redeliverWebhooks(filter: { status: DEAD, since: $since }) }`

interface Counts {
  readonly pending: number
  readonly deliveries: number
  readonly dead: number
}

const countsOf = (body: unknown): Counts | undefined => {
  const { data } = (body ?? {}) as { data?: Record<keyof Counts, { totalCount: number } | null> }
  if (!data?.pending || !data.deliveries || !data.dead) return undefined
  return {
    pending: data.pending.totalCount,
    deliveries: data.deliveries.totalCount,
    dead: data.dead.totalCount,
  }
}

/**
 * Resolves when everything is settled and delivered; what is not in time is noted, and the checks find it.
 * @param since the time of the first event, in milliseconds since 1970.
 * @param withinMs how long it may take.
 */
export async function settle(
  portal: Caller,
  recorder: Recorder,
  since: number,
  withinMs: number,
): Promise<void> {
  const until = Date.now() + withinMs
  let counts: Counts | undefined
  // The timeline follows what is posted: nothing may be pending several times in a row.
  let quiet = 0
  for (let n = 0; Date.now() < until; n++) {
    // A delivery that was tried while its receiver was ill waits for minutes or is given up: a portal sends it again.
    if (n % 8 === 0)
      await portal.graph({ op: 'redeliver' }, REDELIVER, { since: new Date(since).toISOString() })
    const answer = await portal.graph({ op: 'under-way' }, UNDER_WAY)
    counts = countsOf(answer?.body)
    quiet = counts && counts.pending + counts.deliveries + counts.dead === 0 ? quiet + 1 : 0
    if (quiet === QUIET_LOOKS) return
    await delay(LOOK_MS)
  }
  recorder.write({ t: 'notice', at: Date.now(), what: 'not-settled', text: JSON.stringify(counts) })
}

interface Page {
  readonly data?: {
    readonly page?: {
      readonly nodes: readonly unknown[]
      readonly pageInfo: { hasNextPage: boolean; endCursor: string }
    }
  }
}

const TIMELINE = `query ($after: String) { page: timeline(first: ${PAGE}, after: $after, orderBy: OLDEST_FIRST) {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { kind outcome amount { value currency } points transaction { id transactionOperationStatus } } } }`

/** All pages of the timeline, as this client sees it. */
async function readTimeline(caller: Caller): Promise<void> {
  let after: string | null = null
  for (;;) {
    const answer = await caller.graph({ op: 'final-timeline' }, TIMELINE, { after })
    const page = (answer?.body as Page | undefined)?.data?.page
    if (!page?.pageInfo.hasNextPage) return
    after = page.pageInfo.endCursor
  }
}

const SUMMARY = `{ summary(by: ALL, groupBy: [KIND, PARTNER, CURRENCY]) {
  kind partner { id } currency count completed failed amount { value currency } points } }`

/** Dues, credit and points of the owners of the run, as the graph says. */
const balancesQuery = (accounts: readonly string[], numbers: readonly string[]): string => {
  const dues = accounts.map(
    one => `dues_${one}: customer(customerAccountNumber: "${one}") { value: totalDues }`,
  )
  const lines = numbers.map(
    one => `line_${one}: subscriber(mobileNumber: "+${one}") { prepaidBalance { value } pointsBalance }`,
  )
  return `{ ${[...dues, ...lines].join(' ')} }`
}

/** Lets every client read all that it may. */
export async function readAll(
  partners: readonly Partner[],
  callers: { readonly partners: readonly Caller[]; readonly portal: Caller; readonly analyst: Caller },
  owners: { readonly accounts: readonly string[]; readonly numbers: readonly string[] },
): Promise<void> {
  for (const partner of partners)
    for (const { name, isListed } of KINDS) if (isListed) while (await partner.follow(name));
  const everybody = [...callers.partners, callers.portal, callers.analyst]
  for (const caller of everybody) {
    await readTimeline(caller)
    await caller.graph({ op: 'final-summary' }, SUMMARY)
    await caller.call({ op: 'final-export', via: 'rest', path: '/exports/timeline.csv?orderBy=OLDEST_FIRST' })
  }
  await callers.portal.graph({ op: 'final-balances' }, balancesQuery(owners.accounts, owners.numbers))
}

const LAST =
  'query ($kinds: [TransactionKind!]) { events(first: 1, filter: { kinds: $kinds }) { nodes { eventid } } }'

/** Id of the last event that a client may see of a kind; undefined where there is none, or it is not told in time. */
async function lastEvent(
  caller: Caller,
  kind: string | undefined,
  until: number,
): Promise<string | undefined> {
  for (; Date.now() < until; await delay(LOOK_MS)) {
    const answer = await caller.graph({ op: 'last-event' }, LAST, { kinds: kind ? [kind] : null })
    const { data } = (answer?.body ?? {}) as { data?: { events?: { nodes: { eventid: string }[] } } }
    if (data?.events) return data.events.nodes[0]?.eventid
  }
  return undefined
}

/** Resolves when each subscriber has heard the last event that its client may see; what it misses, the checks find. */
export async function hear(
  subscribers: readonly (readonly [Pick<Subscriber, 'kind' | 'last'>, Caller])[],
): Promise<void> {
  const until = Date.now() + HEAR_MS
  for (const [subscriber, caller] of subscribers) {
    const last = await lastEvent(caller, subscriber.kind, until)
    while (last !== undefined && subscriber.last !== last && Date.now() < until) await delay(LOOK_MS)
  }
}
