/** The pages in a real browser: offline but for the server, within their policy, and of use. */
import type { Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { CHROMIUM, launch, openPage, type WatchedPage } from './chromium.ts'

const [payments] = FIXTURES

let stack: Stack
let browser: Browser
const sockets = new Set<Socket>()

const open = (path: string) => openPage(browser, stack.address, path)
const expectClean = ({ complaints, foreign }: WatchedPage) =>
  expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })

const signIn = async (page: Page, client: string) => {
  await page.selectOption('#client', client)
  await page.getByText(`signed in: ${client}`).waitFor()
}

/** Runs the example of this name, and resolves when the result shows this text. */
const run = async (page: Page, name: string, shows?: string) => {
  await page.locator('.graphiql-tab-button', { hasText: name }).click()
  await page.locator('.graphiql-execute-button').click()
  if (shows) await page.locator('.result-window', { hasText: shows }).waitFor()
}

interface Live {
  readonly transactionEvents: { readonly transaction: { readonly id: string } }
}

/** As the browser has it; its own types are not loaded here. */
interface Link {
  getAttribute(name: string): string | null
}

/** All that the result says; of a long one the page itself has no more than is looked at. */
const resultOf = (page: Page) =>
  page
    .locator('.result-window .CodeMirror')
    .evaluate(node => (node as unknown as { CodeMirror: { getValue(): string } }).CodeMirror.getValue())

const post = async (): Promise<string> => {
  const { path, body, idField } = payments!
  const token = await stack.token('demo-partner')
  return (await restOf(stack)('POST', path, { token, body: body() })).body[idField]
}

describe.skipIf(!CHROMIUM)('pages', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    stack = await startStack()
    stack.server.http.server.on('connection', socket => sockets.add(socket))
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.[Symbol.asyncDispose]()
  })

  it('BROWSER-01 MUST say at / what runs here, and lead to it', async () => {
    await using opened = await open('/')
    const { page } = opened
    const links = await page
      .locator('main a')
      .evaluateAll((all: Link[]) => all.map(link => link.getAttribute('href')))
    expect(links).toEqual(expect.arrayContaining(['/graphql', '/reference', '/schema.graphql', '/metrics']))
    for (const link of links) expect((await fetch(stack.address + link)).status, link!).not.toBe(404)
    expect(await page.locator('pre').innerText()).toContain(`${stack.address}/oauth2/accesstoken`)
    await page.getByRole('link', { name: '/reference' }).click()
    await page.getByText('Postpaid bill payment and customer inquiry').first().waitFor()
    expectClean(opened)
  })

  it('BROWSER-02 MUST run the example queries as a demo client picked from the list', async () => {
    await using opened = await open('/graphql')
    const { page } = opened
    await run(page, 'Customer360', 'Sign in above')
    await signIn(page, 'demo-analyst')
    await run(page, 'Customer360', 'Muna Al Balushi')
    await run(page, 'Timeline', 'REDEMPTION')
    await run(page, 'Summary', 'failureRate')
    await page.reload({ waitUntil: 'networkidle' })
    await page.getByText('signed in: demo-analyst').waitFor()
    expect(await page.locator('.graphiql-tab').allInnerTexts()).toEqual([
      'Customer360',
      'Timeline',
      'Summary',
      'CreatePayment',
      'LiveDesk',
    ])
    expectClean(opened)
  })

  it.each([
    ['a phone', 390, 844],
    ['a desk', 1_440, 900],
  ])(
    'BROWSER-08 MUST show a result by the very first click in a fresh browser, on %s',
    async (_, width, height) => {
      await using opened = await openPage(browser, stack.address, '/graphql', { width, height })
      const { page } = opened
      await signIn(page, 'demo-partner')
      await page.locator('.graphiql-execute-button').click()
      const result = page.locator('.result-window', { hasText: 'Muna Al Balushi' })
      await result.waitFor()
      expect(await result.innerText()).not.toContain('"errors"')
      const { x, y, ...size } = (await result.boundingBox())!
      expect([x, y].every(edge => edge >= 0) && x + size.width <= width && y + size.height <= height).toBe(
        true,
      )
      expect(Math.min(size.width, size.height)).toBeGreaterThan(200)
      expect(await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)).toBe(
        width,
      )
      expectClean(opened)
    },
  )

  it('BROWSER-09 MUST list the events of the live tab, without an error, for every role', async () => {
    for (const client of ['demo-partner', 'demo-portal']) {
      await using opened = await open('/graphql')
      const { page } = opened
      await signIn(page, client)
      await run(page, 'LiveDesk')
      await vi.waitFor(() => expect(stack.listeners()).toBe(1), 10_000)
      const posted = [await post(), await post(), await post()]
      await page.locator('.result-window', { hasText: '"received": 3' }).waitFor()
      const { newestFirst } = JSON.parse(await resultOf(page))
      const ids = newestFirst.map(({ errors, data }: { errors?: unknown; data: Live }) => [
        errors,
        data.transactionEvents.transaction.id,
      ])
      expect(ids).toEqual(posted.toReversed().map(id => [undefined, id]))
      expectClean(opened)
    }
  })

  it('BROWSER-07 MUST sign in as a client that was picked before the scripts were there', async () => {
    await using opened = await open('/')
    const { page } = opened
    const picked = Promise.withResolvers<void>()
    await page.route('**/sign-in.js', async route => {
      await picked.promise
      await route.continue()
    })
    await page.goto(`${stack.address}/reference`, { waitUntil: 'commit' })
    await page.selectOption('#client', 'demo-partner')
    picked.resolve()
    await page.getByText('signed in: demo-partner').waitFor()
    expectClean(opened)
  })

  it('BROWSER-03 MUST know the schema, for its documentation', async () => {
    await using opened = await open('/graphql')
    const { page } = opened
    await signIn(page, 'demo-portal')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.locator('.graphiql-plugin').getByText('Subscription').first().waitFor()
    expectClean(opened)
  })

  it('BROWSER-04 MUST run a mutation, and be signed in by a token', async () => {
    await using opened = await open('/graphql')
    const { page } = opened
    await page.fill('#token', await stack.token('demo-partner'))
    await page.getByRole('button', { name: 'Use' }).click()
    await page.getByText('signed in: by access token').waitFor()
    await run(page, 'CreatePayment', 'processing')
    expectClean(opened)
  })

  it.each([
    ['closed', (socket: Socket) => socket.destroy()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'BROWSER-05 MUST show events as they happen, and those of a time after a connection was %s',
    async (_, cut) => {
      await using opened = await open('/graphql')
      const { page } = opened
      await signIn(page, 'demo-analyst')
      await run(page, 'LiveDesk')
      await vi.waitFor(() => expect(stack.listeners()).toBe(1), 10_000)
      const shown = (id: string) => page.locator('.result-window', { hasText: id }).waitFor()
      await shown(await post())
      for (const socket of sockets) cut(socket)
      await vi.waitFor(() => expect(stack.listeners()).toBe(0))
      const missed = await post()
      await stack.settled()
      await shown(missed)
      expectClean(opened)
    },
  )

  it('BROWSER-06 MUST let each contract be read, and an operation be tried', async () => {
    await using opened = await open('/reference')
    const { page } = opened
    await signIn(page, 'demo-partner')
    const documents = await page.locator('.topbar option').allInnerTexts()
    expect(documents).toHaveLength(FIXTURES.length)
    const inquiry = page.locator('.opblock', { hasText: '/postpaid-billing/v1/customers' })
    await inquiry.locator('.opblock-summary-control').click()
    await inquiry.getByRole('button', { name: 'Execute' }).click()
    await inquiry.locator('.live-responses-table', { hasText: 'Gulf Pearl Trading LLC' }).waitFor()
    for (const name of documents) {
      await page.locator('.topbar select').selectOption(`/openapi/${name}.yaml`)
      await page.locator('.info a', { hasText: `/openapi/${name}.yaml` }).waitFor()
    }
    expectClean(opened)
  })
})
