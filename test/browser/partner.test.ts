/** The page of a partner in a real browser: its own affairs, test event, secret, limits, and the curl for each. */
import { beforeAll, expect, it } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'
import { makeTrouble, type Trouble } from './trouble.ts'

describePages('partner', pages => {
  let trouble: Trouble
  beforeAll(async () => {
    trouble = await makeTrouble(pages.stack)
  }, 60_000)

  it('PARTNER-01 MUST show own refusals, requests, and transactions with their journey, and no others', async () => {
    await using opened = await pages.open('/partner', { client: 'demo-partner' })
    const { page } = opened
    const refused = page.getByRole('table', { name: 'Refused requests, by reason' })
    await refused
      .getByRole('row', { name: /400.*2$/ })
      .first()
      .waitFor()
    await page.getByText('Endpoints in trouble').first().waitFor()
    await expectFit(page)
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('table', { name: 'Requests' }).waitFor()
    await expectFit(page)
    await page.getByRole('link', { name: 'Transactions', exact: true }).click()
    await page.locator(`a[href$="${trouble.reward}"]`).click()
    await page.getByRole('heading', { name: 'Journey' }).waitFor()
    expect(await page.getByText(/^Part of this cannot be reached/).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Reverse…' }).count()).toBe(0)
    expectClean(opened)
  })

  it('PARTNER-02 MUST send a test event and say what became of it, and rotate the secret', async () => {
    await using opened = await pages.open('/partner/webhooks', { client: 'demo-partner' })
    const { page } = opened
    await page.getByLabel('Callback address (notificationUrl)').fill('https://hooks.invalid/base')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('Did not arrive').waitFor()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('PARTNER-03 MUST show limits, what is left of them, and the curl that asks for them', async () => {
    await using opened = await pages.open('/partner/limits', {
      client: 'demo-partner',
      before: page => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const { page } = opened
    await page.getByText(/of 500 left/).waitFor()
    await page.getByRole('button', { name: 'curl' }).first().click()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toContain(`curl -s ${pages.stack.address}/graphql`)
    expect(copied).toContain('clientLimits')
    await page.getByText('The token for the curl of each panel').click()
    await page.getByText('/oauth2/accesstoken').waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it.each([
    ['en', 'dark'],
    ['ar', 'light'],
  ] as const)('PARTNER-04 MUST fit on a phone in %s, %s', async (language, theme) => {
    for (const view of ['', '/webhooks', '/statements', '/limits', '/transactions']) {
      await using opened = await pages.open(`/partner${view}`, {
        client: 'demo-partner',
        language,
        theme,
        width: 390,
      })
      await opened.page.locator('.tabs').waitFor()
      await expectFit(opened.page)
      expectClean(opened)
    }
  })

  it('PARTNER-05 MUST send a portal to the desk, and others away', async () => {
    await using portal = await pages.open('/partner', { client: 'demo-portal' })
    await portal.page.getByRole('main').getByRole('link', { name: 'Partner support' }).click()
    await portal.page.waitForURL(/\/desk$/)
    await using analyst = await pages.open('/partner', { client: 'demo-analyst' })
    await analyst.page.getByText('This page is for the role “Partner”.').waitFor()
    await expectFit(analyst.page)
    await analyst.page.getByRole('button', { name: 'Sign in as another' }).click()
    await analyst.page.getByRole('button', { name: /^demo-partner P/ }).click()
    await analyst.page.locator('.tabs').waitFor()
  })

  it('PARTNER-06 MUST show registered endpoints with their health, and pause and resume them', async () => {
    const token = await pages.stack.token()
    const registered = await fetch(`${pages.stack.address}/partner/v1/webhook-endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        notificationUrl: 'https://hooks.example.com/telecom',
        kinds: ['PAYMENT', 'STATEMENT'],
      }),
    })
    expect(registered.status).toBe(201)
    await using opened = await pages.open('/partner/webhooks', { client: 'demo-partner' })
    const { page } = opened
    const row = page
      .getByRole('table', { name: 'Registered endpoints' })
      .getByRole('row', { name: /telecom/ })
    await row.getByText('Healthy').waitFor()
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('Paused').waitFor()
    await expectFit(page)
    await row.getByRole('button', { name: 'Resume' }).click()
    await row.getByText('Healthy').waitFor()
    expectClean(opened)
  })

  it('PARTNER-08 MUST give the files of the contract, and lead to what else a receiver needs', async () => {
    await using opened = await pages.open('/partner/webhooks', { client: 'demo-partner-2' })
    const { page } = opened
    await page.getByText('Files for your tools').click()
    const files = page.locator('.contract-files')
    await files.getByText('partner.yaml').waitFor()
    await expectFit(page)
    const download = page.waitForEvent('download')
    await files.getByText('asyncapi.yaml').click()
    expect((await download).suggestedFilename()).toBe('asyncapi.yaml')
    await page.getByRole('link', { name: 'How to verify a signature' }).waitFor()
    await page.getByRole('link', { name: 'How to register an endpoint' }).click()
    await page.waitForURL(/\/docs\/partner#webhook-endpoints$/)
    await page.getByRole('heading', { name: 'Webhook endpoints' }).waitFor()
    expectClean(opened)
  })

  it('PARTNER-07 MUST show statements and the newest events, with the curl that follows them', async () => {
    await using opened = await pages.open('/partner/statements', {
      client: 'demo-partner',
      before: page => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const { page } = opened
    await page.getByText('There is no statement yet').waitFor()
    await page
      .getByRole('table', { name: 'Events' })
      .getByText(/PAYMENT_(COMPLETED|FAILED)/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'curl' }).last().click()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toMatch(/partner\/v1\/events\?after=\w+&wait=30/)
    await expectFit(page)
    expectClean(opened)
  })
})
