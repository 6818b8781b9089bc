/** Chromium as the machine has it, and pages whose every request and complaint is noted. */
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

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM!, args })

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  /** Complaints of the browser: violated policies, scripts that failed, what could not be loaded. */
  readonly complaints: readonly string[]
  /** Requests to anywhere but the server. */
  readonly foreign: readonly string[]
}

/** A page in a profile of its own, at the server's path. */
export async function openPage(
  browser: Browser,
  address: string,
  path: string,
  viewport = { width: 1_280, height: 720 },
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${address}/`) && !url.startsWith('data:')) foreign.push(url)
  })
  page.on('websocket', socket => {
    if (!socket.url().startsWith(`${address.replace('http', 'ws')}/`)) foreign.push(socket.url())
  })
  await page.goto(address + path, { waitUntil: 'networkidle' })
  return { page, complaints, foreign, [Symbol.asyncDispose]: () => context.close() }
}
