/** Chromium as the machine has it, and pages whose requests and complaints are all recorded. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const find = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => NAMES.map(name => join(folder, name)))
    .find(file => existsSync(file))

/** Where Chromium is: `CHROMIUM`, or what the path has; undefined where there is none. */
export const CHROMIUM = process.env['CHROMIUM'] || find()

if (!CHROMIUM)
  console.warn('No Chromium on this machine: the browser tests are skipped (apt-get install chromium)')

/** Chromium refuses to run with its sandbox as root. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Time in milliseconds after which any wait for the browser fails. */
const WAIT_MS = 30_000

/** Starts a browser, which ends with this process whatever becomes of it. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM!, args, timeout: WAIT_MS })

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  /** Complaints of the browser: violated policies, scripts that failed, what could not be loaded. */
  readonly complaints: readonly string[]
  /** Requests to anywhere but the server. */
  readonly foreign: readonly string[]
}

/**
 * A page in a profile of its own, at the server's path.
 * @param prepare is called before anything is loaded.
 */
export async function openPage(
  browser: Browser,
  address: string,
  path: string,
  viewport = { width: 1_280, height: 720 },
  prepare?: (page: Page) => Promise<unknown>,
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', message => {
    // Pages of an identity provider complain on their own account; what this server's pages load is in `foreign`.
    const isOwn = message.location().url === '' || message.location().url.startsWith(`${address}/`)
    // A connection that is cut is no fault of the page.
    const isCut = message.text().startsWith('WebSocket connection to')
    if (message.type() === 'error' && isOwn && !isCut) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${address}/`) && !url.startsWith('data:')) foreign.push(url)
  })
  page.on('websocket', socket => {
    if (!socket.url().startsWith(`${address.replace('http', 'ws')}/`)) foreign.push(socket.url())
  })
  await prepare?.(page)
  await page.goto(address + path)
  return { page, complaints, foreign, [Symbol.asyncDispose]: () => context.close() }
}

/** Signs in as a demo client as a reload does. */
export const signInAtLoad = (page: Page, client: string): Promise<unknown> =>
  page.addInitScript(`sessionStorage.setItem('partner-graph:signed-in-by', 'demo:${client}')`)

/** Sets language and theme as the menu does. */
export const setLanguage = (page: Page, language: 'en' | 'ar', theme = 'light'): Promise<unknown> =>
  page.addInitScript(
    `localStorage.setItem('partner-graph:preferences', '${JSON.stringify({ language, theme })}')`,
  )

/** Nothing is loading any more, and all that appears has appeared. */
const IS_STILL =
  "!document.querySelector('.skeleton') && document.getAnimations().every(one => one.playState !== 'running')"

/** Resolves when the page has come to rest. */
export const untilStill = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done, fail) => {
    const until = performance.now() + ${WAIT_MS}
    const look = () => {
      if (${IS_STILL}) done()
      else if (performance.now() > until) fail(new Error('The page does not come to rest'))
      else requestAnimationFrame(look)
    }
    look()
  })`)
