/** The analyst's page in a real browser: its states, sizes, languages and looks. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'

describePages('explore-states', pages => {
  it('EXPLORE-11 MUST say what is away, forbidden, failed or not there', async () => {
    const answering = (operation: string, body: object) => (page: Page) =>
      page.route('**/graphql', route =>
        (route.request().postDataJSON()?.query ?? '').includes(operation)
          ? route.fulfill({ json: body })
          : route.continue(),
      )
    const fault = (code: string, ...path: string[]) => ({
      message: `Refused: ${code}`,
      path,
      extensions: { code },
    })
    const failed = { data: { timeline: null }, errors: [fault('SERVICE_UNAVAILABLE', 'timeline')] }
    {
      await using opened = await pages.open('/explore', { before: answering('query Timeline(', failed) })
      const { page } = opened
      await page.getByText('This could not be loaded').waitFor()
      await expectFit(page)
      await page.unroute('**/graphql')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.entry').first().waitFor()
    }
    {
      const entry = {
        kind: 'PAYMENT',
        occurredAt: '2026-11-01T00:00:00Z',
        outcome: 'FAILED',
        description: 'A payment',
      }
      const nodes = [{ ...entry, amount: null, points: null, transaction: null }]
      const body = {
        data: { timeline: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } },
        errors: [fault('SERVICE_UNAVAILABLE', 'timeline', 'nodes', '0', 'transaction')],
      }
      await using opened = await pages.open('/explore', { before: answering('query Timeline(', body) })
      await opened.page.getByText('Part of this cannot be reached at the moment.').first().waitFor()
      await opened.page.getByText('A payment').waitFor()
    }
    {
      const body = { data: { customer: null }, errors: [fault('PERMISSION_DENIED', 'customer')] }
      await using opened = await pages.open('/explore/customers/100001', {
        before: answering('CustomerOverview', body),
      })
      await opened.page.getByText('Your role may not see this').waitFor()
    }
    await using opened = await pages.open('/explore/customers/999999')
    await opened.page.getByText('There is no customer with the account 999999').waitFor()
    await opened.page.goto(`${pages.stack.address}/explore?text=nothinglikethis`)
    await opened.page.getByText('Nothing fits these filters').waitFor()
    await opened.page.goto(`${pages.stack.address}/explore/nowhere`)
    await opened.page.getByText('There is no page at this address.').waitFor()
  })

  it('EXPLORE-12 MUST load at most 150 KB of compressed script, and nothing twice', async () => {
    const twice: string[] = []
    const scripts = new Map<string, Promise<{ size: number; headers: Record<string, string> }>>()
    await using opened = await pages.open('/explore', {
      before: async page => {
        page.on('response', response => {
          if (!response.url().endsWith('.js')) return
          if (scripts.has(response.url())) twice.push(response.url())
          const sizes = response.request().sizes()
          scripts.set(
            response.url(),
            sizes.then(({ responseBodySize: size }) => ({ size, headers: response.headers() })),
          )
        })
      },
    })
    await opened.page.locator('.entry').first().waitFor()
    const loaded = await Promise.all(scripts.values())
    expect(twice).toEqual([])
    expect(loaded.length).toBeGreaterThan(5)
    expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(150_000)
    for (const { size, headers } of loaded) {
      expect(headers['cache-control']).toContain('immutable')
      // Below one kilobyte compressing makes nothing smaller.
      expect(headers['content-encoding'] ?? size).toEqual(size < 1_024 ? expect.anything() : 'br')
    }
    expect(await opened.page.locator('script:not([src]):not([type="application/json"])').count()).toBe(0)
    expectClean(opened)
  })

  const VIEWS = [
    '/',
    '/explore',
    '/explore/customers/100003',
    '/explore/numbers/%2B96891000002',
    '/explore/compare?a=100001&b=100003',
  ]
  const LOOKS = [
    ['a phone in Arabic', { width: 390, height: 844, language: 'ar' }],
    ['a desk in Arabic, dark', { width: 1_440, height: 900, language: 'ar', theme: 'dark' }],
    ['a phone in English, dark', { width: 390, height: 844, theme: 'dark' }],
    ['a desk in English', { width: 1_440, height: 900 }],
  ] as const
  it.each(VIEWS.flatMap(path => LOOKS.map(([name, options]) => [path, name, options] as const)))(
    'EXPLORE-13 MUST fit and be accessible: %s on %s',
    async (path, _, options) => {
      await using opened = await pages.open(path, options)
      const { page } = opened
      if (path !== '/') await page.locator('.entry, .compare td').first().waitFor()
      const dir = 'language' in options ? 'rtl' : 'ltr'
      expect(await page.locator('html').getAttribute('dir')).toBe(dir)
      await expectFit(page)
      expectClean(opened)
    },
  )
})
