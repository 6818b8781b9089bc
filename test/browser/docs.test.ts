/** The guides in a real browser. */
import { expect, it, vi } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'

/** A link as the browser has it; its own types are not loaded here. */
interface Link {
  getAttribute(name: string): string | null
}

describePages('docs', pages => {
  it('GUIDE-01 MUST show a guide, lead to another one and to a heading, without loading the page anew', async () => {
    await using opened = await pages.open('/docs', { client: '' })
    const { page } = opened
    await page.locator('.guide h1').first().waitFor()
    await page.evaluate('window.isSame = true')
    await page.locator('.guides-wide').getByRole('link', { name: 'Operating' }).click()
    await page.waitForURL(/\/docs\/operating$/)
    await page.getByRole('heading', { name: 'Operating', level: 1 }).waitFor()
    await page.locator('.guide').getByRole('link', { name: 'Settings' }).first().click()
    await page.waitForURL(/\/docs\/settings/)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await vi.waitFor(async () => expect(await page.title()).toMatch(/^Settings – /))
    expect(await page.evaluate('window.isSame')).toBe(true)
    await page.goto(`${pages.stack.address}/docs/portal`)
    await page.locator('.guide-headings a').last().click()
    await page.waitForURL(/\/docs\/portal#/)
    await page.goto(`${pages.stack.address}/docs/nothing`)
    await page.getByText('There is no such guide').waitFor()
    expectClean(opened)
  })

  it('GUIDE-02 MUST find words in all guides, and lead to their section', async () => {
    await using opened = await pages.open('/docs', { client: '' })
    const { page } = opened
    await page.getByPlaceholder('Search the guides').fill('webhook signature')
    const first = page.locator('.guide-found a').first()
    await first.waitFor()
    const address = await first.getAttribute('href')
    await first.click()
    await page.waitForURL(`${pages.stack.address}${address}`)
    await page.getByPlaceholder('Search the guides').fill('xyzzyqwert')
    await page.getByText('Nothing found. Try fewer or other words.').waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('GUIDE-03 MUST copy an example, and open one in the editor', async () => {
    await using opened = await pages.open('/docs/analyst', {
      before: page => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const { page } = opened
    const example = page.locator('.guide-code', { has: page.locator('.guide-run') }).first()
    await example.getByRole('button', { name: 'Copy' }).click()
    const text = await example.locator('code').textContent()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
    await example.getByRole('link', { name: 'Open in the editor' }).click()
    await page.waitForURL(/\/graphql#query=/)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.answer-body').getByText('"data"').waitFor()
    expect(await page.locator('.answer-body').innerText()).not.toContain('"errors"')
    expectClean(opened)
  })

  it('GUIDE-05 MUST give the documents of the contract, beside the guides and within them', async () => {
    await using opened = await pages.open('/docs/webhooks', { client: '' })
    const { page } = opened
    await page.getByText('Files for your tools').click()
    const files = page.locator('.guide-files .contract-files a')
    await files.first().waitFor()
    await expectFit(page)
    const addresses = await files.evaluateAll((all: Link[]) => all.map(link => link.getAttribute('href')!))
    expect(addresses).toEqual(
      expect.arrayContaining(['/asyncapi.yaml', '/schema.graphql', '/openapi/partner.yaml']),
    )
    for (const address of addresses)
      expect((await fetch(pages.stack.address + address)).status, address).toBe(200)
    const download = page.waitForEvent('download')
    await page.locator('.guide a[href="/asyncapi.yaml"]').click()
    expect((await download).url()).toBe(`${pages.stack.address}/asyncapi.yaml`)
    expectClean(opened)
  })

  it.each([
    ['a phone in Arabic, dark', { width: 390, height: 844, language: 'ar', theme: 'dark' }],
    ['a desk in English', { width: 1_440, height: 900 }],
  ] as const)('GUIDE-04 MUST fit and be accessible: %s', async (_, options) => {
    for (const name of ['portal', 'webhooks', 'architecture']) {
      await using opened = await pages.open(`/docs/${name}`, { client: '', ...options })
      await opened.page.locator('.guide h1').first().waitFor()
      await expectFit(opened.page)
      expect(await opened.page.locator('script:not([src]):not([type="application/json"])').count()).toBe(0)
      expectClean(opened)
    }
  })
})
