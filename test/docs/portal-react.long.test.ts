/** The hook of docs/portal.md in React, with Apollo Client and with urql: over a connection that is cut, and at its end. */
import type { ApolloClient } from '@apollo/client'
import type { Client } from '@urql/core'
import type { GraphQLFormattedError } from 'graphql'
import { Window } from 'happy-dom'
import { type ComponentType, createElement as h, type ReactNode, StrictMode } from 'react'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { createGraph } from '../support/graph.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type Project, writeProject, writeTypes } from './snippets.ts'

const [payments] = FIXTURES
const PATIENT = { interval: 5, timeout: 10_000 }

/** Of one page alone: what else runs in this process has no DOM. */
const page = new Window()
let stack: Stack
let token: string
let proxy: TcpProxy
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  token = await stack.token('demo-portal')
  proxy = await startProxy('127.0.0.1', Number(new URL(stack.address).port))
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page.document)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await page.happyDOM.close()
  await proxy.close()
  await stack[Symbol.asyncDispose]()
})

/** Posts a payment and waits for its event. @returns Its id. */
const post = async (): Promise<string> => {
  const { path, body, idField } = payments!
  const partner = await stack.token('demo-partner')
  const { [idField]: id } = (await restOf(stack)('POST', path, { token: partner, body: body() })).body
  await stack.settled()
  return id
}

const latest = async (): Promise<string> =>
  (await createGraph(stack.address)('{ latestEventCursor }', { token })).data.latestEventCursor

interface Failure {
  readonly errors?: readonly GraphQLFormattedError[]
  readonly graphQLErrors?: readonly GraphQLFormattedError[]
}

interface Following {
  readonly events: readonly { readonly transaction: { readonly id: string } }[]
  readonly state: { readonly name: string; readonly caughtUp?: number; readonly error?: Failure }
}

interface Hook {
  useFollow(document: unknown, variables: { after: string }, keep?: number): Following
}

/** Each with its provider, and a payment's outcome by its cache alone. */
const LIBRARIES = {
  apollo: {
    provider: async () => (await import('@apollo/client/react')).ApolloProvider,
    prop: 'client',
    outcomeOf: async ({ cache }: ApolloClient, id: string) =>
      (cache.extract() as Record<string, { outcome: string }>)[`Payment:${id}`]?.outcome,
  },
  urql: {
    provider: async () => (await import('urql')).Provider,
    prop: 'value',
    async outcomeOf(client: Client, id: string) {
      await client.query('query Id($id: ID!) { payment(paymentId: $id) { id } }', { id })
      const outcome = 'query Outcome($id: ID!) { payment(paymentId: $id) { id outcome } }'
      return (await client.query(outcome, { id }, { requestPolicy: 'cache-only' })).data?.payment.outcome
    },
  },
} as const

/** The page's files on this server: HTTP as it is, WebSockets through the proxy, and tries that follow each other sooner. */
const onThisServer = (library: string) => (text: string, file: string) =>
  file === 'src/session.ts'
    ? `export const accessToken = async () => '${token}'`
    : text
        .replace('./apollo-follow.ts', file === 'src/desk.tsx' ? `./${library}-follow.ts` : '$&')
        .replace('wss://graph.example', `ws://127.0.0.1:${proxy.port}`)
        .replace('https://graph.example', stack.address)
        .replace('setTimeout(start, 1_000)', 'setTimeout(start, 20)')

describe.each(Object.keys(LIBRARIES) as (keyof typeof LIBRARIES)[])('with %s', library => {
  let project: Project
  beforeAll(async () => {
    project = writeProject(onThisServer(library))
    await writeTypes(project)
  })
  afterAll(() => project[Symbol.dispose]())

  /** Shows a component in the page, as a portal does whose React is strict. */
  const show = async (content: ReactNode) => {
    const { createRoot } = await import('react-dom/client')
    const { provider, prop } = LIBRARIES[library]
    const { client } = await project.load<{ client: unknown }>(`src/${library}.ts`)
    const element = page.document.createElement('div')
    const root = createRoot(element as unknown as Element)
    root.render(
      h(StrictMode, null, h((await provider()) as ComponentType, { [prop]: client } as object, content)),
    )
    const unmount = () => root.unmount()
    onTestFinished(async () => {
      unmount()
      // The scheduler looks at the page once more.
      await new Promise(done => setImmediate(done))
    })
    return { element, unmount }
  }

  /** A component that tells what the hook gave it last. */
  const watching = async (after: string, keep?: number) => {
    const { useFollow } = await project.load<Hook>(`src/${library}-follow.ts`)
    const { DeskDocument } = await project.load<{ DeskDocument: unknown }>('src/gql/graphql.ts')
    const seen: { last?: Following; readonly states: string[] } = { states: [] }
    const Watching = () => {
      const last = useFollow(DeskDocument, { after }, keep)
      seen.last = last
      if (seen.states.at(-1) !== last.state.name) seen.states.push(last.state.name)
      return null
    }
    return { seen, element: h(Watching) }
  }
  const idsOf = ({ last }: { last?: Following }) => last!.events.map(({ transaction }) => transaction.id)

  it('DOCS-50 MUST bring each event once over connections that are cut, tell so, and stop with its component', async () => {
    const after = await latest()
    const first = await post()
    const { Desk } = await project.load<{ Desk: ComponentType<{ after: string }> }>('src/desk.tsx')
    const whole = await watching(after)
    const short = await watching(after, 2)
    const { element, unmount } = await show([
      h(Desk, { after, key: 1 }),
      h('div', { key: 2 }, whole.element),
      h('div', { key: 3 }, short.element),
    ])
    const text = () => element.querySelector('p')!.textContent
    const items = () => element.querySelectorAll('li').length
    const shown = (state: string, count: number) =>
      vi.waitFor(() => {
        expect([text(), items()]).toEqual([state, count])
        expect([whole.seen.last!.events.length, short.seen.last!.events.length]).toEqual([
          count,
          Math.min(count, 2),
        ])
        expect(stack.listeners()).toBe(3)
      }, PATIENT)
    await shown('live', 1)
    const posted = [first, await post()]
    await shown('live', 2)

    proxy.cut()
    await vi.waitFor(() => expect([text(), stack.listeners()]).toEqual(['connecting', 0]), PATIENT)
    posted.push(await post(), await post())
    proxy.restore()
    await shown('resumed: 2 caught up', 4)
    posted.push(await post())
    await shown('resumed: 2 caught up', 5)

    proxy.cut()
    await vi.waitFor(() => expect([text(), stack.listeners()]).toEqual(['connecting', 0]), PATIENT)
    proxy.restore()
    await shown('resumed: 0 caught up', 5)
    posted.push(await post())
    await shown('resumed: 0 caught up', 6)

    const { client } = await project.load<{ client: never }>(`src/${library}.ts`)
    expect(await LIBRARIES[library].outcomeOf(client, posted[2]!)).toBe('COMPLETED')
    const newestFirst = posted.toReversed()
    expect(idsOf(whole.seen)).toEqual(newestFirst)
    expect(idsOf(short.seen)).toEqual(newestFirst.slice(0, 2))
    expect(whole.seen.states).toEqual([
      'connecting',
      'live',
      'connecting',
      'resumed',
      'connecting',
      'resumed',
    ])
    unmount()
    await vi.waitFor(() => expect([stack.listeners(), proxy.count]).toEqual([0, 0]), PATIENT)
  })

  it('DOCS-51 MUST try no more once its component has gone while the connection was cut', async () => {
    const { seen, element } = await watching(await latest())
    const { unmount } = await show(element)
    await vi.waitFor(() => expect(seen.last?.state.name).toBe('live'), PATIENT)
    proxy.cut()
    await vi.waitFor(() => expect(seen.last?.state.name).toBe('connecting'), PATIENT)
    unmount()
    proxy.restore()
    const other = await watching(await latest())
    const next = await show(other.element)
    await vi.waitFor(() => expect(other.seen.last?.state.name).toBe('live'), PATIENT)
    await post()
    await vi.waitFor(() => expect(idsOf(other.seen)).toHaveLength(1), PATIENT)
    expect(stack.listeners()).toBe(1)
    const late = await watching(await latest())
    const last = await show(late.element)
    await vi.waitFor(() => expect(late.seen.last?.state.name).toBe('live'), PATIENT)
    last.unmount()
    next.unmount()
    await vi.waitFor(() => expect([stack.listeners(), proxy.count]).toEqual([0, 0]), PATIENT)
  })

  it('DOCS-52 MUST end with the error that trying again does not mend', async () => {
    const { seen, element } = await watching('of another log')
    const { unmount } = await show(element)
    await vi.waitFor(() => expect(seen.last?.state.name).toBe('ended'), PATIENT)
    const { errors, graphQLErrors } = seen.last!.state.error!
    expect((errors ?? graphQLErrors)!.map(({ extensions }) => extensions!['field'])).toEqual(['after'])
    unmount()
    await vi.waitFor(() => expect(proxy.count).toBe(0), PATIENT)
  })
})
