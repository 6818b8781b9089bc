/** The page for sums by period and group in a real browser. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'
import { MOST_SCRIPT, Scripts } from './scripts.ts'

describePages('analyse', pages => {
  it('ANALYSE-01 MUST keep the whole question in the address, as chart and table', async () => {
    await using opened = await pages.open('/analyse')
    const { page } = opened
    const table = page.getByRole('table', { name: 'Table' })
    await table.waitFor()
    await page.getByRole('button', { name: 'Partner', exact: true }).click()
    await page.waitForURL(/group=KIND&group=PARTNER/)
    await page.getByLabel('Measure').selectOption('failed')
    await page.getByLabel('Top of each period').selectOption('10')
    await page.waitForURL(/measure=failed.*top=10|top=10.*measure=failed/)
    await expectFit(page)
    const bars = page.getByRole('list', { name: 'Failed', exact: true }).getByRole('button')
    await bars.last().click()
    await page.waitForURL(/period=\d{4}-\d\d-01/)
    const text = await table.innerText()
    await page.reload()
    await table.waitFor()
    expect(await table.innerText()).toBe(text)
    expectClean(opened)
  })

  it('ANALYSE-02 MUST add up as the graph does, and export what it found', async () => {
    await using opened = await pages.open('/analyse?group=KIND&by=ALL&from=ever&top=all')
    const { page } = opened
    const table = page.getByRole('table', { name: 'Table' })
    await table.waitFor()
    const count = await pages.stack.app.db.payment.count()
    const row = table.getByRole('row', { name: /^Payment/ })
    expect(await row.innerText()).toContain(String(count))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Table: query and export' }).click()
    await page.getByRole('menuitem', { name: 'Export CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).toMatch(/^\uFEFFperiod,kind,count,completed,failed/)
    expect(csv).toContain(`PAYMENT,${count}`)
    await row.getByRole('link').click()
    await page.waitForURL(/\/explore\?.*kinds=PAYMENT/)
    expectClean(opened)
  })

  it.each([
    ['en', 'light', 390, '?measure=amount&group=MERCHANT'],
    ['ar', 'dark', 390, '?measure=rate&group=PARTNER'],
    ['ar', 'light', 1_440, '?by=WEEK&group=KIND&group=OUTCOME'],
  ] as const)('ANALYSE-03 MUST fit in %s, %s, at %i: %s', async (language, theme, width, search) => {
    await using opened = await pages.open(`/analyse${search}`, { language, theme, width })
    await opened.page.locator('.table').waitFor()
    await expectFit(opened.page)
    expectClean(opened)
  })

  it('ANALYSE-04 MUST say what leaves nothing, and load little', async () => {
    const scripts = new Scripts()
    await using opened = await pages.open('/analyse?merchant=nobody', {
      before: async page => scripts.watch(page),
    })
    const { page } = opened
    await page.getByText('Nothing fits these filters').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('table', { name: 'Table' }).waitFor()
    expect((await scripts.loaded()).length).toBeGreaterThan(3)
    expect(await scripts.sum()).toBeLessThan(MOST_SCRIPT)
    expectClean(opened)
  })

  it('ANALYSE-06 MUST keep a view by its name, apart from those of /explore, link to it and forget it', async () => {
    await using opened = await pages.open('/analyse?measure=failed&group=PARTNER')
    const { page } = opened
    await page.getByRole('table', { name: 'Table' }).waitFor()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Failures by partner')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const link = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link')
    await link.waitFor()
    await expectFit(page)
    await page.goto(`${pages.stack.address}/explore`)
    await page.locator('.entry').first().waitFor()
    expect(await page.getByRole('navigation', { name: 'Saved views' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Analyse', exact: true }).click()
    await link.click()
    await page.waitForURL(/\/analyse\?.*measure=failed/)
    expect(await page.getByLabel('Measure').inputValue()).toBe('failed')
    await page.getByRole('button', { name: 'Remove: Failures by partner' }).click()
    await link.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('table', { name: 'Table' }).waitFor()
    expect(await link.count()).toBe(0)
    expectClean(opened)
  })

  it('ANALYSE-07 MUST show hours, customers and percentiles as the graph has them, in either language', async () => {
    const address = '/analyse?by=HOUR_OF_DAY&group=PAYMENT_METHOD&measure=p95&from=ever'
    await using opened = await pages.open(address)
    const { page } = opened
    const table = page.getByRole('table', { name: 'Table' })
    await table.waitFor()
    expect(await table.innerText()).toMatch(/\d\d:00/)
    expect(await table.innerText()).toContain('cash')
    await page.getByLabel('Measure').selectOption('settledP50Ms')
    await page.waitForURL(/measure=settledP50Ms/)
    await page.getByLabel(/^Period/).selectOption('DAY_OF_WEEK')
    await page.waitForURL(/by=DAY_OF_WEEK/)
    await expect
      .poll(() => table.innerText())
      .toMatch(/Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday/)
    await expectFit(page)
    expectClean(opened)
  })

  it('ANALYSE-08 MUST ask for the last month by one choice, and name it until a day is another', async () => {
    await using opened = await pages.open('/analyse')
    const { page } = opened
    const span = page.getByLabel(/^Time/)
    await span.selectOption('lastMonth')
    await page.waitForURL(/from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d/)
    const search = new URL(page.url()).searchParams
    expect(search.get('to')!.slice(0, 7)).toBe(search.get('from')!.slice(0, 7))
    await page.getByRole('table', { name: 'Table' }).waitFor()
    await page.goto(page.url().replace(/&to=[^&]*/, ''))
    expect(await span.inputValue()).toBe('')
    await expectFit(page)
    expectClean(opened)
  })

  it('ANALYSE-05 MUST ask those who are not signed in to sign in', async () => {
    await using opened = await pages.open('/analyse', { client: '' })
    await opened.page.getByText('Sign in to see this').waitFor()
    await expectFit(opened.page)
  })
})
