/** The front page and the REST reference in a real browser. */
import { expect, it } from 'vitest'
import { FIXTURES } from '../support/fixtures/all.ts'
import { untilStill } from './chromium.ts'
import { describePages, expectClean, seriousFaults } from './portal.ts'
import { MOST_SCRIPT, Scripts } from './scripts.ts'

/** A link as the browser has it; its own types are not loaded here. */
interface Link {
  getAttribute(name: string): string | null
}

/** Rules of axe that Swagger UI's own markup breaks; within it no others may be broken, and outside of it none. */
const SWAGGER_RULES = ['color-contrast', 'nested-interactive', 'select-name']

describePages('pages', pages => {
  it('BROWSER-01 MUST say at / what runs here, and lead to it', async () => {
    await using opened = await pages.open('/', { client: '' })
    const { page } = opened
    await page.getByRole('link', { name: 'REST', exact: true }).waitFor()
    const links = await page
      .locator('a')
      .evaluateAll((all: Link[]) => all.map(link => link.getAttribute('href')))
    expect(links).toEqual(
      expect.arrayContaining(['/explore', '/graphql', '/docs', '/reference', '/asyncapi.yaml']),
    )
    for (const link of links.filter(one => one?.startsWith('/'))) {
      const response = await fetch(pages.stack.address + link, { headers: { accept: 'text/html' } })
      expect(response.status, link!).toBe(200)
    }
    await page.getByRole('link', { name: 'REST', exact: true }).click()
    await page.getByText('Postpaid bill payment and customer inquiry').first().waitFor()
    expectClean(opened)
  })

  it('BROWSER-08 MUST not offer to look around while a sign-in is under way', async () => {
    let answer = () => {}
    const held = new Promise<void>(done => {
      answer = done
    })
    await using opened = await pages.open('/', {
      before: page =>
        page.route('**/graphql', async route => {
          if (route.request().postData()?.includes('query Me')) await held
          await route.continue()
        }),
    })
    const { page } = opened
    const main = page.getByRole('main')
    await main.getByText('Signing in…').waitFor()
    expect(await main.getByRole('button', { name: 'Look around with demo data' }).count()).toBe(0)
    answer()
    await main.getByRole('link', { name: 'Explore', exact: true }).waitFor()
    expectClean(opened)
  })

  it.each(['', 'demo-analyst'])(
    'BROWSER-09 MUST load little script at / for the client "%s"',
    async client => {
      const scripts = new Scripts()
      await using opened = await pages.open('/', { client, before: async page => scripts.watch(page) })
      const { page } = opened
      await page.locator(client ? '.session' : '.doors').waitFor()
      await page.getByText('Version', { exact: true }).waitFor()
      await untilStill(page)
      expect((await scripts.loaded()).length).toBeGreaterThan(3)
      expect(await scripts.sum()).toBeLessThan(MOST_SCRIPT)
      expectClean(opened)
    },
  )

  it.each([
    ['a phone', 390, 844],
    ['a desk', 1_440, 900],
  ])(
    'BROWSER-06 MUST let each contract be read, and an operation be tried, on %s',
    async (_, width, height) => {
      await using opened = await pages.open('/reference', { client: 'demo-partner', width, height })
      const { page } = opened
      await page.getByText('Postpaid bill payment and customer inquiry').first().waitFor()
      const documents = await page.locator('.topbar option').allInnerTexts()
      // The contracts, and the tools of partners beside them.
      expect(documents).toHaveLength(FIXTURES.length + 1)
      const inquiry = page.locator('.opblock', { hasText: '/postpaid-billing/v1/customers' })
      await inquiry.locator('.opblock-summary-control').click()
      await inquiry.getByRole('button', { name: 'Execute' }).click()
      await inquiry.locator('.live-responses-table', { hasText: 'Gulf Pearl Trading LLC' }).waitFor()
      for (const name of documents) {
        await page.locator('.topbar select').selectOption(`/openapi/${name}.yaml`)
        await page.locator('.info a', { hasText: `/openapi/${name}.yaml` }).waitFor()
      }
      const scroll = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
      expect(scroll).toBe(width)
      expectClean(opened)
    },
  )

  it('BROWSER-07 MUST have the same header at the reference, and nothing serious of our own', async () => {
    await using opened = await pages.open('/reference', { client: '' })
    const { page } = opened
    await page.locator('.reference .info').waitFor()
    await page.getByRole('searchbox').waitFor()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await seriousFaults(page, '.swagger-ui')).toEqual([])
    const rules = (await seriousFaults(page)).map(fault => fault.split(':')[0]!)
    expect([...new Set(rules)].sort()).toEqual(SWAGGER_RULES)
    await page.getByRole('link', { name: 'Explore' }).click()
    await page.waitForURL(/explore$/)
    expectClean(opened)
  })
})
