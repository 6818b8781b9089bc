/**
 * `npm run screenshots`: pictures of the pages into `coverage/screenshots`, of a server of its own with demo data, on a
 * phone and a desk, in both languages, light and dark. With words it takes those pictures alone whose names have one;
 * `npm run screenshots readme` takes those of the README, into `docs/pictures`.
 */
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Page } from 'playwright-core'
import { projectPath } from '#core/config/project-files.ts'
import { startStack } from '../support/stack.ts'
import { launch, openPage, setLanguage, signInAtLoad, untilStill } from './chromium.ts'
import { makeTrouble } from './trouble.ts'

const FOLDER = projectPath('coverage', 'screenshots')

/** Views by the names of their pictures; in an address `{failed}` is the id of a payment that failed. */
const VIEWS: Record<string, string> = {
  home: '/',
  explore: '/explore',
  customer: '/explore/customers/100003',
  number: '/explore/numbers/%2B96891000002',
  transaction: '/explore/transactions/{failed}',
  found: '/explore?q=demo-pay',
  compare: '/explore/compare?a=100001&b=100003',
  analyse: '/analyse',
  desk: '/desk',
  webhooks: '/desk/webhooks',
  clients: '/desk/clients',
  requests: '/desk/requests',
  acts: '/desk/acts',
  partner: '/partner',
  posted: '/partner/transactions?days=30',
  attempts: '/partner/webhooks',
  limits: '/partner/limits',
  graphql: '/graphql',
  docs: '/docs/portal',
  reference: '/reference',
}

/** Steps to what a picture is to show. */
const PREPARE: Record<string, (page: Page) => Promise<unknown>> = {
  graphql: async page => {
    await page.locator('.cm-content').nth(1).waitFor()
    await page.locator('.ide-actions .button-main').click()
    await page.locator('.answer-body .code').waitFor()
  },
  docs: page => page.locator('.guide h1').first().waitFor(),
  reference: page => page.locator('.opblock').first().waitFor(),
}

const SIZES = { desk: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } } as const
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'light'],
  ['ar', 'dark'],
] as const

/** Views in the README, taken by the word `readme` alone. */
const README = ['customer', 'transaction', 'graphql']
const README_FOLDER = projectPath('docs', 'pictures')

interface Picture {
  readonly name: string
  readonly folder: string
  readonly view: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly look: (typeof LOOKS)[number]
}

/** The pictures of which a name has one of the words; all where there are no words. */
const picturesFor = (words: readonly string[]): Picture[] => {
  if (words.includes('readme'))
    return README.map(view => ({
      name: view,
      folder: README_FOLDER,
      view,
      viewport: { width: 1_180, height: 740 },
      look: LOOKS[0],
    }))
  return Object.keys(VIEWS)
    .flatMap(view =>
      Object.entries(SIZES).flatMap(([size, viewport]) =>
        LOOKS.map(look => ({
          name: `${view}-${size}-${look.join('-')}`,
          folder: FOLDER,
          view,
          viewport,
          look,
        })),
      ),
    )
    .filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
}

/** Takes every picture that is wanted. */
async function main(words: readonly string[]): Promise<void> {
  await using stack = await startStack()
  // Refusals and dead deliveries, without which half of the desk is empty.
  await makeTrouble(stack)
  const browser = await launch()
  const failed = await stack.app.db.payment.findFirst({ where: { status: 'denied' } })
  for (const { name, folder, view, viewport, look } of picturesFor(words)) {
    const [language, theme] = look
    const address = VIEWS[view]!.replace('{failed}', failed?.id ?? '')
    await using opened = await openPage(browser, stack.address, address, viewport, async page => {
      await signInAtLoad(page, address.startsWith('/partner') ? 'demo-partner' : 'demo-portal')
      await setLanguage(page, language, theme)
    })
    await opened.page.locator('.session').waitFor()
    await PREPARE[view]?.(opened.page)
    await untilStill(opened.page)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${name}.png`)
    await opened.page.screenshot({ path })
    console.log(relative(projectPath(''), path))
  }
  await browser.close()
}

await main(process.argv.slice(2))
// A closed PGlite leaves a timer behind, which would keep this process.
process.exit()
