/** The hooks in React, over a connection that is cut; each event is acknowledged once it was handled. */
import { Window } from 'happy-dom'
import { createElement as h, StrictMode } from 'react'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, createClient, memoryCursorStore } from '#client/index.ts'
import { type FollowHookOptions, useFollow, useLatestEvent } from '#client/react.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { startProxy, type TcpProxy } from '#test/support/proxy.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

const PATIENT = { interval: 5, timeout: 10_000 }

const page = new Window()
let stack: Stack
let proxy: TcpProxy
let client: Client
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  proxy = await startProxy('127.0.0.1', Number(new URL(stack.address).port))
  client = createClient({
    address: `http://127.0.0.1:${proxy.port}`,
    token: () => stack.token('demo-partner'),
  })
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page.document)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await page.happyDOM.close()
  await proxy.close()
  await stack[Symbol.asyncDispose]()
})

const post = async (): Promise<string> => {
  const { path, body, idField } = postpaidBilling
  const token = await stack.token('demo-partner')
  const { [idField]: id } = (await createRest(stack.address)('POST', path, { token, body: body() })).body
  await stack.settled()
  return id
}

/** Shows a component that follows; the text says state and events. */
const show = async (options: FollowHookOptions<never>) => {
  const { createRoot } = await import('react-dom/client')
  const Page = (props: { options: object }) => {
    const { events, state } = useFollow(client, { maxRetryMs: 20, ...options, ...props.options })
    const latest = useLatestEvent(client, { name: 'latest', maxRetryMs: 20 })
    const ids = events.map(({ transactionId }) => transactionId)
    return h('p', null, `${state.name} ${ids.join()} latest ${latest?.transactionId}`)
  }
  const element = page.document.body.appendChild(page.document.createElement('div'))
  const root = createRoot(element as never)
  const render = (more: object = {}) => root.render(h(StrictMode, null, h(Page, { options: more })))
  onTestFinished(async () => {
    root.unmount()
    // The scheduler looks at the page once more.
    await expect.poll(() => stack.listeners(), PATIENT).toBe(0)
    await new Promise(done => setImmediate(done))
  })
  render()
  return { render, unmount: () => root.unmount(), text: () => `${element.textContent}` }
}

it('CLIENT-REACT-01 shows events as they happen, and goes on after a connection that was killed', async () => {
  const store = memoryCursorStore()
  const handled: string[] = []
  const onEvent = ({ transactionId }: { transactionId: string }) => void handled.push(transactionId)
  const { text, unmount } = await show({ store, name: 'page', keep: 2, onEvent })
  await expect.poll(text, PATIENT).toBe('following  latest undefined')
  await expect.poll(() => stack.listeners(), PATIENT).toBe(2)
  const first = await post()
  await expect.poll(text, PATIENT).toBe(`following ${first} latest ${first}`)
  proxy.cut()
  await expect.poll(text, PATIENT).toMatch(/^(lost|connecting) /)
  const missed = [await post(), await post()]
  proxy.restore()
  await expect.poll(text, PATIENT).toBe(`following ${missed.toReversed().join()} latest ${missed[1]}`)
  expect(handled).toEqual([first, ...missed])
  unmount()
  await expect.poll(() => stack.listeners(), PATIENT).toBe(0)

  const [last] = [await post()]
  const again = await show({ store, name: 'page', onEvent })
  await expect.poll(again.text, PATIENT).toMatch(new RegExp(`^following ${last} `))
  expect(handled).toEqual([first, ...missed, last])
})

it('CLIENT-REACT-02 an event whose handler fails is not acknowledged, and the page says so', async () => {
  const store = memoryCursorStore()
  const { text } = await show({ store, name: 'failing', onEvent: () => Promise.reject(new Error('no room')) })
  await expect.poll(text, PATIENT).toMatch(/^following/)
  await expect.poll(() => stack.listeners(), PATIENT).toBe(2)
  await post()
  await expect.poll(text, PATIENT).toMatch(/^failed/)
  expect(await store.get('failing')).toBeUndefined()
})

it('CLIENT-REACT-03 follows nothing until it is enabled', async () => {
  const { text, render } = await show({ enabled: false })
  await expect.poll(text, PATIENT).toMatch(/^connecting/)
  await expect.poll(() => stack.listeners(), PATIENT).toBe(1)
  render({ enabled: true })
  await expect.poll(text, PATIENT).toMatch(/^following/)
})
