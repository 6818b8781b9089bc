/** The analyst's page in a real browser: signing in, the box, customers, transactions. */
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { untilStill } from './chromium.ts'
import { describePages, expectClean, expectFit } from './portal.ts'

const [payments] = FIXTURES

const search = async (page: Page, text: string) => {
  await page.getByRole('searchbox').fill(text)
  await page.keyboard.press('Enter')
}

describePages('explore-find', pages => {
  it('EXPLORE-01 MUST sign in by one click, keep it over a reload, and keep no token', async () => {
    await using opened = await pages.open('/explore', { client: '' })
    const { page } = opened
    await page.getByText('Sign in to see this').first().waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await expectFit(page)
    await page.getByRole('button', { name: 'demo-analyst' }).click()
    await page.getByRole('button', { name: /Signed in as/ }).waitFor()
    await page.locator('.entry').first().waitFor()
    await page.reload()
    await page.locator('.entry').first().waitFor()
    const kept = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(kept).not.toMatch(/eyJ/)
    await page.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Sign in to see this').first().waitFor()
    expectClean(opened)
  })

  it('EXPLORE-02 MUST find by number, account, name, transaction and correlator, as typed', async () => {
    const id = await pages.post({ 'x-correlator': 'tour/explore-02' })
    await pages.stack.settled()
    await using opened = await pages.open('/explore')
    const { page } = opened
    const finds = async (typed: string, path: RegExp) => {
      await search(page, typed)
      await page.waitForURL(path)
    }
    await finds('9100 0002', /\/explore\/numbers\/%2B96891000002$/)
    await page.getByRole('heading', { name: 'Muna Al Balushi' }).waitFor()
    await finds('100003', /\/explore\/customers\/100003$/)
    await page.getByRole('heading', { name: 'Gulf Pearl Trading LLC' }).waitFor()
    await finds('+968 9100-0002', /numbers\/%2B96891000002$/)
    await finds('balu', /\/explore\/customers\/100002$/)
    await finds(id, new RegExp(`/explore/transactions/${id}$`))
    await finds('٩١٠٠٠٠٠٣', /numbers\/%2B96891000003$/)
    await finds('tour/explore-02', new RegExp(`/explore/transactions/${id}$`))
    await search(page, 'nothing like this at all')
    await page.getByText('Nothing found for “nothing like this at all”').waitFor()
    await search(page, 'al')
    await page.getByText(/Nothing found for/).waitFor()
    await search(page, 'demo-pay')
    await page.getByRole('heading', { name: 'Transactions' }).waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('EXPLORE-16 MUST find what was read out on the phone: blanks within, or in the place of dashes', async () => {
    const id = await pages.post({ 'x-correlator': 'call-77-ab12/9' })
    await pages.stack.settled()
    await using opened = await pages.open('/explore')
    const { page } = opened
    for (const typed of ['call-77- ab12 /9', 'call 77 ab12/9', id.replaceAll('-', ' ').toUpperCase()]) {
      await page.goto(`${pages.stack.address}/explore`)
      await search(page, typed)
      await page.waitForURL(new RegExp(`/explore/transactions/${id}$`))
      await page.getByRole('heading', { name: 'Journey' }).waitFor()
    }
    expect(await page.getByRole('searchbox').getAttribute('autocapitalize')).toBe('none')
    expectClean(opened)
  })

  it('EXPLORE-17 MUST say why a request was refused that has this correlator and posted nothing', async () => {
    const token = await pages.stack.token('demo-partner')
    const { path } = payments!
    const headers = { 'x-correlator': 'call-78-refused' }
    expect((await restOf(pages.stack)('POST', path, { token, body: {}, headers })).status).toBe(400)
    await using opened = await pages.open('/explore')
    const { page } = opened
    const found = page.getByRole('region', { name: 'Requests with this correlator' })
    await vi.waitFor(async () => {
      await page.goto(`${pages.stack.address}/explore?q=call+78+refused`)
      await untilStill(page)
      expect(await found.count()).toBe(1)
    }, 20_000)
    await found.getByText('Refused').first().waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('EXPLORE-03 MUST show a customer with dues, lines and what was posted without a number', async () => {
    const body = payments!.body()
    delete (body as { paymentTransaction: { customerInfo: { phoneNumber?: string } } }).paymentTransaction
      .customerInfo.phoneNumber
    const id = await pages.post({}, body)
    await pages.stack.settled()
    const { accountNumber } = await pages.stack.app.db.payment.findFirstOrThrow({ where: { id } })
    await using opened = await pages.open(`/explore/customers/${accountNumber}`)
    const { page } = opened
    await page.getByText('Dues').first().waitFor()
    await page.locator(`.entry[href$="${id}"]`).waitFor()
    expect(await page.locator('.fact').first().innerText()).toMatch(/OMR.[\d,]+\.\d{3}/)
    await page.locator('a.line').first().click()
    await page.waitForURL(/numbers/)
    await page.locator(`.entry[href$="${id}"]`).waitFor()
    await page.getByRole('link', { name: /alone$/ }).click()
    await page.locator('.timeline').waitFor()
    await vi.waitFor(async () => expect(await page.locator(`.entry[href$="${id}"]`).count()).toBe(0), 5_000)
    expectClean(opened)
  })

  it('EXPLORE-06 MUST show the journey of a transaction, and copy what identifies it', async () => {
    const id = await pages.post({ 'x-correlator': 'explore-06' })
    await pages.stack.settled()
    await using opened = await pages.open(`/explore/transactions/${id}`)
    const { page } = opened
    for (const step of ['Posted', 'Settled', 'Event'])
      await page.locator('.step strong', { hasText: step }).first().waitFor()
    await page.getByText('explore-06', { exact: true }).waitFor()
    await page.getByText('demo-partner', { exact: true }).first().waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('EXPLORE-07 MUST compare two customers that are chosen by name and number', async () => {
    await using opened = await pages.open('/explore/compare')
    const { page } = opened
    await page.getByLabel('First customer').fill('balu')
    await page.keyboard.press('Enter')
    await page.waitForURL(/a=100002/)
    await page.getByLabel('Second customer').fill('9100 0003')
    await page.keyboard.press('Enter')
    await page.waitForURL(/b=100003/)
    await page.getByRole('columnheader', { name: 'Gulf Pearl Trading LLC' }).waitFor()
    await expectFit(page)
    expectClean(opened)
  })
})
