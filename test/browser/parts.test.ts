/** Parts of the pages that do not load: the server is away, or has other parts than the page that is shown. */
import { expect, it } from 'vitest'
import { describePages } from './portal.ts'

describePages('parts that do not load', pages => {
  it('PARTS-01 MUST keep the page and its header while the server is away, say so, and go on once it is back', async () => {
    await using opened = await pages.open('/explore', { client: 'demo-portal' })
    const { page } = opened
    await page.locator('.session').waitFor()
    const desk = page.getByRole('link', { name: 'Partner support', exact: true })
    await page.context().setOffline(true)
    await desk.click()
    await page.getByText('A part of it could not be loaded from the server.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(await page.getByRole('link', { name: 'Explore', exact: true }).isVisible()).toBe(true)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Explore', exact: true }).click()
    await page.getByRole('heading', { name: 'Explore' }).waitFor()
    await desk.click()
    await page.getByRole('heading', { name: 'Partner support' }).waitFor()
  })

  it('PARTS-02 MUST load the page anew, once, where the server has other parts by now', async () => {
    let loads = 0
    let isGone = false
    await using opened = await pages.open('/', {
      before: async page => {
        page.on('load', () => loads++)
        await page.route(/\/page-[^/]*\.js$/, async route => {
          if (isGone) await route.fulfill({ status: 404 })
          else await route.continue()
        })
      },
    })
    const { page } = opened
    await page.locator('.session').waitFor()
    page.on('request', request => {
      if (request.isNavigationRequest()) isGone = false
    })
    isGone = true
    await page.getByRole('link', { name: 'Analyse', exact: true }).click()
    await page.getByRole('heading', { name: 'Analyse' }).waitFor()
    expect(loads).toBe(2)
  })

  it('PARTS-03 MUST show its texts in English, from left to right, where those of the language do not load', async () => {
    await using opened = await pages.open('/', {
      client: '',
      language: 'ar',
      before: page => page.route(/\/ar-[^/]*\.js$/, route => route.abort()),
    })
    const { page } = opened
    await page.getByRole('button', { name: 'Look around with demo data' }).waitFor()
    expect(await page.locator('html[lang=en][dir=ltr]').count()).toBe(1)
  })
})
