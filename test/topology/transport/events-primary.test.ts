/** A running subscription whose primary fetch is another under the next supergraph: it changes over where it stands. */
import { type FormattedExecutionResult, parse } from 'graphql'
import { expect, test } from 'vitest'
import { streamOf } from '#core/async/stream.ts'
import { NO_TRAIL } from '#core/audit/access-recorder.ts'
import type { App } from '#core/context/app.ts'
import { openActiveSubscription } from '#gateway/subscriptions/active-subscription.ts'
import { SubscriptionMemory } from '#gateway/subscriptions/subscription-memory.ts'
import { compose } from '#gateway/supergraph/document.ts'
import { createSupergraphManager } from '#gateway/supergraph/version.ts'
import type { EventSource, SourceRequest, SourceStream } from '#gateway/transport/transport.ts'
import { log, principalOf } from '#test/support/fetches.ts'
import { unwatched } from '#test/support/metrics.ts'

const EVENT = 'type Event @key(fields: "cursor")'
const ROOT = 'type Query { a: Int } type Subscription { happened(after: String): Event! }'
/** The same graph, composed of two services between which a field moves. */
const sdl = (owner: string, other: string) =>
  compose([
    { name: 'owner', url: '', typeDefs: parse(`${ROOT} ${EVENT} { cursor: String! ${owner} }`) },
    { name: 'other', url: '', typeDefs: parse(`${EVENT} { cursor: String! ${other} }`) },
  ])
const BEFORE = sdl('size: Int', 'note: Int')
const AFTER = sdl('note: Int', 'size: Int')

/** Events at positions 1, 2, 3, … given one by one; a request beyond them waits. */
const createSource = () => {
  const requests: SourceRequest[] = []
  let last = 0
  const waiting = new Set<() => void>()
  const events: EventSource = {
    async subscribe(request) {
      requests.push(request)
      let position = Number(request.after ?? last)
      const stream = streamOf(
        async () => {
          while (position >= last) await new Promise<void>(wake => waiting.add(wake))
          position += 1
          const happened = { __typename: 'Event', cursor: `${position}`, size: position }
          return { done: false, value: { id: `${position}`, read: async () => ({ data: { happened } }) } }
        },
        () => undefined,
      )
      return Object.defineProperty(stream as SourceStream, 'cursor', { get: () => `${position}` })
    },
  }
  const happen = () => {
    last += 1
    for (const wake of waiting) wake()
    waiting.clear()
  }
  return { events, requests, happen }
}

/** The other service knows the size of an event by its cursor. */
const other = {
  process: async ({ request }: { request: { variables?: Record<string, unknown> } }) => {
    const representations = request.variables!['representations'] as { cursor: string }[]
    return { data: { _entities: representations.map(({ cursor }) => ({ size: Number(cursor) })) } }
  },
}

type Source = Pick<ReturnType<typeof createSource>, 'events'>

/** Subscribes to all fields of an event, under the graph before. */
const subscribe = async ({ events }: Source, services: object = other) => {
  const app = { log, metrics: unwatched(), config: { requestTimeoutMs: 5_000 } } as unknown as App
  const serving = await createSupergraphManager(app, () => ({ source: services as never, events }), BEFORE)
  const document = parse('subscription { happened { cursor size } }')
  const [operation] = document.definitions as never[]
  const principal = principalOf('demo')
  const sender = { principal, authorization: 'Bearer x', correlator: 'c', trail: NO_TRAIL }
  const live = await openActiveSubscription(
    { app, manager: serving, memory: new SubscriptionMemory() },
    { document, operation: operation!, variables: {}, sender },
  )
  return { serving, live }
}

const sizeIn = ({ value }: IteratorResult<FormattedExecutionResult, undefined>) =>
  (value!.data!['happened'] as Record<string, unknown>)['size']

test('UEV-50 it begins again after what was taken, asks for what it needs now, and loses and repeats nothing', async () => {
  const { events, requests, happen } = createSource()
  const { serving, live } = await subscribe({ events })
  const sizes: unknown[] = []
  const take = async (next: Promise<IteratorResult<FormattedExecutionResult, undefined>>) =>
    void sizes.push(sizeIn(await next))
  await serving.replace(BEFORE.replace('type Query', '"Asked." type Query'))
  requests.length = 0
  const first = live.next()
  happen()
  await take(first)
  expect(requests).toEqual([])
  const waiting = live.next()
  await serving.replace(AFTER)
  happen()
  await take(waiting)
  happen()
  await take(live.next())
  expect(sizes).toEqual([1, 2, 3])
  const [{ primary, after }] = requests as [SourceRequest]
  expect(primary.resumable).not.toContain('size')
  expect(after).toBe('1')
  expect(requests).toHaveLength(1)
  await live.return(undefined)
  await serving.stop()
})

test('UEV-51 events that wait for another service wait together, and come in their order', async () => {
  const COUNT = 5
  const { events, happen } = createSource()
  const answers: (() => void)[] = []
  const { promise: allAsked, resolve: onAllAsked } = Promise.withResolvers<void>()
  const slow = {
    process: async (fetch: Parameters<typeof other.process>[0]) => {
      const result = await other.process(fetch)
      await new Promise<void>(answer => {
        if (answers.push(answer) === COUNT) onAllAsked()
      })
      return result
    },
  }
  const { serving, live } = await subscribe({ events }, slow)
  await serving.replace(AFTER)
  const first = live.next()
  for (let count = 0; count < COUNT; count++) happen()
  await allAsked
  for (const answer of answers.toReversed()) answer()
  const sizes = [sizeIn(await first)]
  while (sizes.length < COUNT) sizes.push(sizeIn(await live.next()))
  expect(sizes).toEqual([1, 2, 3, 4, 5])
  await live.return(undefined)
  await serving.stop()
})
