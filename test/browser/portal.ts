/** The built pages in a browser: a server and a browser for a file of tests, and checks that hold for every view. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, type StackOptions, startStack } from '../support/stack.ts'
import {
  CHROMIUM,
  launch,
  openPage,
  setLanguage,
  signInAtLoad,
  untilStill,
  type WatchedPage,
} from './chromium.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const isBuilt = existsSync(projectPath('portal', 'dist', 'index.html'))
const [payments] = FIXTURES

/** The part of axe that is used here; its own types want a DOM. */
interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  }>
}

export interface OpenOptions {
  /** The demo client to sign in as; none where it is empty. */
  readonly client?: string
  readonly width?: number
  readonly height?: number
  readonly language?: 'en' | 'ar'
  readonly theme?: string
  readonly before?: (page: Page) => Promise<unknown>
}

/** Server and browser of a file of tests. */
export interface Pages {
  readonly stack: Stack
  /** Cuts all connections, and refuses those of subscriptions until the function that it returns is called. */
  cut(): () => void
  open(path: string, options?: OpenOptions): Promise<WatchedPage>
  /** Posts a payment as a partner. @returns its id. */
  post(headers?: Record<string, string>, body?: object): Promise<string>
}

/**
 * Declares tests of the built pages; they are skipped where there is no browser or nothing was built.
 * @param options of the server; the usual one unless given.
 */
export function describePages(
  name: string,
  declare: (pages: Pages) => void,
  options: StackOptions = {},
): void {
  describe.skipIf(!CHROMIUM || !isBuilt)(name, { timeout: 120_000 }, () => {
    let stack: Stack
    let browser: Browser
    const sockets = new Set<Socket>()
    let isCut = false
    beforeAll(async () => {
      stack = await startStack(options)
      stack.server.http.server.on('connection', socket => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
      })
      stack.server.http.server.prependListener('upgrade', (_, socket) => {
        if (isCut) socket.destroy()
      })
      browser = await launch()
    }, 60_000)
    afterAll(async () => {
      await browser?.close()
      await stack?.[Symbol.asyncDispose]()
    }, 30_000)
    declare({
      get stack() {
        return stack
      },
      cut() {
        isCut = true
        for (const socket of sockets) socket.destroy()
        return () => {
          isCut = false
        }
      },
      open: (
        path,
        { client = 'demo-analyst', width = 1_440, height = 900, language = 'en', theme, before } = {},
      ) =>
        openPage(browser, stack.address, path, { width, height }, async page => {
          if (client) await signInAtLoad(page, client)
          await setLanguage(page, language, theme)
          await before?.(page)
        }),
      async post(headers = {}, body = payments!.body()) {
        const { path, idField } = payments!
        const token = await stack.token('demo-partner')
        return (await restOf(stack)('POST', path, { token, body, headers })).body[idField]
      },
    })
  })
}

/** Fails where the browser has complained, or anything came from elsewhere. */
export const expectClean = ({ complaints, foreign }: WatchedPage): void =>
  expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })

/**
 * Serious findings of axe (WCAG 2.2 AA), each with its place.
 * @param except elements that are not looked at, as a selector.
 */
export async function seriousFaults(page: Page, except?: string): Promise<string[]> {
  // In the page's own world without a script element, so that the policy stays as it is.
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const { violations } = await page.evaluate(
    exclude =>
      (globalThis as unknown as { axe: Axe }).axe.run(
        { include: [['html']], exclude },
        {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
          resultTypes: ['violations'],
        },
      ),
    except ? [[except]] : [],
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

/**
 * Fails where something is wider than the window, or axe finds something serious, once the page is still: colours on their
 * way would be measured.
 */
export async function expectFit(page: Page): Promise<void> {
  await untilStill(page)
  const [scroll, width] = await page
    .locator('html')
    .evaluate((html: { scrollWidth: number; clientWidth: number }) => [html.scrollWidth, html.clientWidth])
  expect(scroll).toBeLessThanOrEqual(width!)
  expect(await seriousFaults(page)).toEqual([])
}
