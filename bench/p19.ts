/**
 * P19: `/explore` in a browser over a timeline of 250,000 entries: the time until the first entries are shown, and frames while
 * 100,000 of them are scrolled, against a page of that height with nothing in it.
 */
import type { Browser, Page } from 'playwright-core'
import { hashSecret } from '#core/access/secrets.ts'
import { launch, openPage, signInAtLoad } from '#test/browser/chromium.ts'
import { fillAnalyst } from './lib/analyst-query.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory, QUOTAS, type Sql, untilProjected } from './lib/fill.ts'
import { type Finding, milliseconds, spreadOf } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { startServer } from './lib/server.ts'

const TRANSACTIONS = 250_000
const ENTRIES = scaled(100_000, 1_000)
const VISITS = scaled(7)
const TURNS = scaled(5)
const SECONDS = scaled(5)
const USABLE_MS = 1_000
/** In pixels a second: a page a second, which is how fast a reader leafs through. */
const SPEED = 2_000

/** Notes the time of the frame in which the first entries stand, since the navigation began. */
const NOTE_FIRST = `window.usableAfterMs = new Promise(done => new MutationObserver((_, observer) => {
  if (!document.querySelector('.entry')) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => done(performance.now())))
}).observe(document, { childList: true, subtree: true }))`

/** Scrolls to the end again and again until so many entries have been shown. */
const SCROLL_TO = `(async () => {
  const last = () => Number([...document.querySelectorAll('.entries > li')].at(-1)?.ariaPosInSet)
  while (last() < ${ENTRIES}) {
    scrollTo(0, document.documentElement.scrollHeight)
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
  }
})()`

/** Scrolls from the middle at a steady speed. @returns frames a second. */
const SCROLL_STEADILY = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  scrollTo(0, document.documentElement.scrollHeight / 2)
  for (let rest = 0; rest < 30; rest++) await frame()
  const began = await frame()
  let now = began
  let frames = 0
  while (now - began < ${SECONDS} * 1000) {
    const next = await frame()
    scrollBy(0, (next - now) * ${SPEED / 1_000})
    now = next
    frames++
  }
  return frames / ((now - began) / 1000)
})()`

const ANALYST = 'demo-analyst'
const VIEWPORT = { width: 1_440, height: 900 }

const openExplore = (browser: Browser, address: string) =>
  openPage(browser, address, '/explore', VIEWPORT, async page => {
    await signInAtLoad(page, ANALYST)
    await page.addInitScript(NOTE_FIRST)
  })

/** Time in milliseconds until a browser that knows nothing of the page shows entries. */
const visit = async (browser: Browser, address: string): Promise<number> => {
  await using opened = await openExplore(browser, address)
  return await opened.page.evaluate<number>('window.usableAfterMs')
}

const scroll = (page: Page): Promise<number> => page.evaluate<number>(SCROLL_STEADILY)

/** Frames a second of both pages in turns; only the page at the front is drawn. */
const measureFrames = async (browser: Browser, address: string) => {
  await using explore = await openExplore(browser, address)
  await explore.page.locator('.entry').first().waitFor()
  await explore.page.evaluate(SCROLL_TO)
  const height = await explore.page.evaluate<number>('document.documentElement.scrollHeight')
  await using bare = await openPage(browser, address, '/health/live', VIEWPORT)
  await bare.page.setContent(`<div style="height: ${height}px"></div>`)
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    await explore.page.bringToFront()
    ours.push(await scroll(explore.page))
    await bare.page.bringToFront()
    theirs.push(await scroll(bare.page))
  }
  return { ours, theirs }
}

/** Adds the demo's analyst to a database that is not the demo's: people sign in as it without a provider. */
const addAnalyst = async (client: Sql): Promise<unknown> =>
  client.query(
    `INSERT INTO access.client (id, name, role, secret_hash, currencies, quotas)
     VALUES ($1, $1, 'analyst', $2, '{OMR}', $3)`,
    [ANALYST, await hashSecret(`${ANALYST}-secret`), QUOTAS],
  )

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const { client, url } = stack.use(await createScratch())
  await fillClients(client)
  await addAnalyst(client)
  await fillDirectory(client)
  await fillAnalyst(client)
  const env = { DATABASE_URL: url, SECRETS_KEY, DEMO: '1' }
  const { address } = stack.use(await startServer('gateway/main.ts', { env, flags }))
  await untilProjected(client, TRANSACTIONS)
  const browser = await launch()
  stack.defer(() => browser.close())
  await visit(browser, address)
  const visits: number[] = []
  for (let turn = 0; turn < VISITS; turn += 1) visits.push(await visit(browser, address))
  const { ours, theirs } = await measureFrames(browser, address)
  const ratios = ours.map((rate, index) => rate / theirs[index]!)
  return [
    {
      id: 'P19',
      work: '/explore in a fresh browser, until its first entries are drawn',
      against: 'one second',
      ours: `${milliseconds(median(visits))} (${spreadOf(visits.map(ms => ms / USABLE_MS))})`,
      theirs: milliseconds(USABLE_MS),
      ratio: median(visits) / USABLE_MS,
      target: '<= 1',
    },
    {
      id: 'P19',
      work: `frames a second in the midst of ${ENTRIES.toLocaleString('en')} entries`,
      against: 'a page of that height with nothing in it',
      ours: median(ours).toFixed(1),
      theirs: `${median(theirs).toFixed(1)} (${spreadOf(ratios)})`,
      ratio: median(ratios),
      target: '>= 0.95',
    },
  ]
}
