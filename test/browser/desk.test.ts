/** Partner support in a real browser: trouble is found, webhooks are sent again, a reward is reversed. */
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it, vi } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'
import { MOST_SCRIPT, Scripts } from './scripts.ts'
import { makeTrouble, postUnsettled, type Trouble } from './trouble.ts'

describePages('desk', pages => {
  let trouble: Trouble
  beforeAll(async () => {
    trouble = await makeTrouble(pages.stack)
    await pages.stack.app.access.clients.update('demo-partner', { monthlyAmount: '5000' })
  }, 60_000)

  it('DESK-01 MUST show refusals by partner and reason, and lead to the requests and what the partner sees', async () => {
    await using opened = await pages.open('/desk', { client: 'demo-portal' })
    const { page } = opened
    const refused = page.getByRole('table', { name: 'Refused requests, by reason' })
    const row = refused.getByRole('row', { name: /Demo partner.*400.*2$/ })
    await row.first().waitFor()
    await page.getByRole('list', { name: 'Refused requests over time' }).waitFor()
    await expectFit(page)
    await row.first().getByRole('link').first().click()
    await page.waitForURL(/\/desk\/requests\?.*status=400/)
    const log = page.getByRole('table', { name: 'Requests' })
    await vi.waitFor(async () => expect(await log.getByRole('row').count()).toBe(3), 10_000)
    await expectFit(page)
    await log
      .getByRole('link', { name: 'Demo partner' })
      .first()
      .or(page.getByRole('link', { name: 'What it sees' }))
      .first()
      .click()
    await page.waitForURL(/\/desk\/partners\/demo-partner/)
    await page.getByRole('link', { name: 'Limits' }).click()
    await page.getByText('Most at once').waitFor()
    await page.getByLabel('Account or number').fill('100001')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('table', { name: 'Left this month for a customer' }).waitFor()
    expectClean(opened)
  })

  it('DESK-02 MUST show endpoints and dead deliveries with their attempts, and send one and all again', async () => {
    await using opened = await pages.open('/desk/webhooks', { client: 'demo-portal' })
    const { page } = opened
    await page.getByRole('table', { name: 'Endpoints in trouble' }).getByText(trouble.origin).waitFor()
    const deliveries = page.getByRole('table', { name: 'Webhook deliveries' })
    await deliveries.getByRole('button', { name: '8 attempts' }).first().click()
    await page.getByText('No answer').first().waitFor()
    await expectFit(page)
    const dead = () =>
      pages.stack.app.db.delivery.count({ where: { status: 'DEAD', origin: trouble.origin } })
    expect(await dead()).toBe(3)
    await deliveries.getByRole('link', { name: 'Demo partner' }).first().waitFor()
    await deliveries.getByRole('button', { name: 'Send again' }).first().click()
    await page.getByText(/^1 delivery was sent again at/).waitFor()
    await vi.waitFor(async () => expect(await dead()).toBe(2), 10_000)
    await page.getByText('2 deliveries').first().waitFor()
    await page
      .getByRole('table', { name: 'Endpoints in trouble' })
      .getByRole('row', { name: new RegExp(`${trouble.origin}.*2$`) })
      .waitFor()
    await page.getByRole('button', { name: 'Send all again…' }).click()
    await page.getByRole('button', { name: 'Send 2 deliveries again' }).click()
    await page.getByText(/^2 deliveries were sent again at/).waitFor()
    await page.getByText('No delivery was given up').waitFor()
    expect(await dead()).toBe(0)
    await page.getByRole('link', { name: 'Who did what' }).click()
    await page.getByRole('cell', { name: 'Webhooks sent again' }).first().waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('DESK-03 MUST reverse a reward with a reason, and say who did it', async () => {
    await using opened = await pages.open(`/explore/transactions/${trouble.reward}`, {
      client: 'demo-portal',
    })
    const { page } = opened
    await page.getByRole('button', { name: 'Reverse…' }).click()
    await page.getByLabel(/^Why/).fill('Given to the wrong number')
    await page.getByRole('button', { name: 'Reverse the transaction' }).click()
    const made = page.getByRole('region', { name: 'Interventions' })
    await made.getByText('Reversed by').waitFor()
    await made.getByText('Given to the wrong number').waitFor()
    expect(await made.innerText()).toContain('Demo portal')
    expect(await page.getByRole('button', { name: 'Reverse…' }).count()).toBe(0)
    await expectFit(page)
    expectClean(opened)
  })

  it('DESK-06 MUST offer no intervention that the table does not allow', async () => {
    const payment = await pages.post()
    await pages.stack.settled()
    await using settled = await pages.open(`/explore/transactions/${payment}`, { client: 'demo-portal' })
    await settled.page.getByRole('heading', { name: 'Journey' }).waitFor()
    expect(await settled.page.getByRole('button', { name: /^(Reverse|Cancel)…$/ }).count()).toBe(0)
    expectClean(settled)
  })

  it('DESK-08 MUST cancel a payment that waits, with a reason, and say who did it; the partner reads why', async () => {
    await using waiting = await postUnsettled(pages)
    await using opened = await pages.open(`/explore/transactions/${waiting.id}`, { client: 'demo-portal' })
    const { page } = opened
    await page.getByRole('button', { name: 'Cancel…' }).click()
    await expectFit(page)
    await page.getByLabel(/^Why/).fill('The customer paid elsewhere')
    await page.getByRole('button', { name: 'Cancel the transaction' }).click()
    const made = page.getByRole('region', { name: 'Interventions' })
    await made.getByText('Cancelled by').waitFor()
    await made.getByText('The customer paid elsewhere', { exact: true }).waitFor()
    await made.getByText('Demo portal').waitFor()
    await page.getByRole('button', { name: 'Cancel…' }).waitFor({ state: 'detached' })
    await expectFit(page)
    await waiting.settle()
    await page.goto(`${pages.stack.address}/desk/acts`)
    await page.getByRole('row', { name: new RegExp(waiting.id) }).waitFor()
    expectClean(opened)
    await using partner = await pages.open(`/explore/transactions/${waiting.id}`, { client: 'demo-partner' })
    await partner.page.getByText('Cancelled by the operator: The customer paid elsewhere').first().waitFor()
    expect(await partner.page.getByRole('button', { name: /^(Reverse|Cancel)…$/ }).count()).toBe(0)
    expectClean(partner)
  })

  it('DESK-09 MUST show in the dialog that a cancellation was refused, where the payment was settled meanwhile', async () => {
    await using waiting = await postUnsettled(pages)
    await using opened = await pages.open(`/explore/transactions/${waiting.id}`, { client: 'demo-portal' })
    const { page } = opened
    await page.getByRole('button', { name: 'Cancel…' }).click()
    await page.getByLabel(/^Why/).fill('Too late')
    await waiting.settle()
    // The page has seen that it is settled, and the dialog is still the one that was opened.
    await page.locator('main').getByText('Completed', { exact: true }).first().waitFor()
    const [answered] = await Promise.all([
      page.waitForResponse(response => (response.request().postData() ?? '').includes('cancelTransaction')),
      page.getByRole('button', { name: 'Cancel the transaction' }).click(),
    ])
    const { errors } = (await answered.json()) as { errors: { extensions: object }[] }
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', reason: 'NOT_CANCELLABLE' } }])
    await page.getByRole('dialog').getByRole('alert').getByText('NOT_CANCELLABLE', { exact: true }).waitFor()
    await expectFit(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Cancel…' }).count()).toBe(0)
    expectClean(opened)
  })

  it.each(['/desk', '/partner'])(
    'DESK-07 MUST say at %s what failed, and try again; with little script',
    async path => {
      const scripts = new Scripts()
      let isAway = true
      const client = path === '/desk' ? 'demo-portal' : 'demo-partner'
      await using opened = await pages.open(path, {
        client,
        before: async page => {
          scripts.watch(page)
          await page.route('**/graphql', route =>
            isAway && !route.request().postData()?.includes('query Me')
              ? route.fulfill({
                  json: {
                    data: null,
                    errors: [{ message: 'Away for now', extensions: { code: 'SERVICE_UNAVAILABLE' } }],
                  },
                })
              : route.continue(),
          )
        },
      })
      const { page } = opened
      await page.getByText('This could not be loaded').first().waitFor()
      await page.getByText('Away for now').first().waitFor()
      await expectFit(page)
      isAway = false
      const again = page.getByRole('button', { name: 'Try again' })
      for (let left = await again.count(); left > 0; left--) await again.first().click()
      await page.getByText('This could not be loaded').first().waitFor({ state: 'detached' })
      expect((await scripts.loaded()).length).toBeGreaterThan(3)
      expect(await scripts.sum()).toBeLessThan(MOST_SCRIPT)
    },
  )

  it.each([
    ['en', 'light', 390],
    ['ar', 'dark', 390],
    ['ar', 'light', 1_440],
  ] as const)('DESK-04 MUST fit in %s, %s, at %i', async (language, theme, width) => {
    await using opened = await pages.open('/desk', { client: 'demo-portal', language, theme, width })
    const { page } = opened
    await page.locator('.table').first().waitFor()
    await expectFit(page)
    await page.goto(`${pages.stack.address}/desk/clients`)
    await page.locator('.meter').first().waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('DESK-10 MUST show on a phone the tab that is open, and names below a chart that do not touch', async () => {
    await using opened = await pages.open('/desk/acts', { client: 'demo-portal', width: 390 })
    const { page } = opened
    const tab = page.getByRole('link', { name: 'Who did what' })
    await vi.waitFor(
      async () => {
        const { x, width } = (await tab.boundingBox())!
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(390)
      },
      { timeout: 10_000, interval: 5 },
    )
    await expectFit(page)
    await page.goto(`${pages.stack.address}/desk`)
    await page.getByRole('list', { name: 'Refused requests over time' }).waitFor()
    const names: { left: number; right: number }[] =
      await page.evaluate(`[...document.querySelectorAll('.chart')]
      .slice(0, 1)
      .flatMap(chart => [...chart.querySelectorAll('.chart-name')])
      .filter(name => name.textContent && getComputedStyle(name).visibility === 'visible')
      .map(name => {
        const range = document.createRange()
        range.selectNodeContents(name)
        const { left, right } = range.getBoundingClientRect()
        return { left, right }
      })`)
    expect(names.length).toBeGreaterThan(2)
    for (const [index, { left }] of names.slice(1).entries())
      expect(left - names[index]!.right).toBeGreaterThan(6)
    expectClean(opened)
  })

  it('DESK-11 MUST not mark as good what the graph refused with 200', async () => {
    const payment = await pages.post()
    const token = await pages.stack.token('demo-portal')
    await fetch(`${pages.stack.address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        query: `mutation { reverseTransaction(id: "${payment}", reason: "None") { id } }`,
      }),
    })
    await using opened = await pages.open('/desk/requests?reason=NOT_REVERSIBLE', { client: 'demo-portal' })
    const row = opened.page.getByRole('row', { name: /NOT_REVERSIBLE/ })
    // Rows of the log are written shortly after the answers.
    await vi.waitFor(
      async () => {
        await opened.page.reload()
        await row.first().waitFor({ timeout: 10_000 })
      },
      { timeout: 60_000, interval: 5 },
    )
    expect(await row.first().locator('.badge').getAttribute('class')).toBe('badge badge-warn')
    expect(await row.first().locator('.badge').innerText()).toBe('200')
    expectClean(opened)
  })

  it('DESK-12 MUST export every request that the filters leave, beyond those that are shown', async () => {
    const count = 60
    const token = await pages.stack.token('demo-analyst')
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const ask = (query: string, more = {}) =>
      fetch(`${pages.stack.address}/graphql`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ query }),
      })
    for (let left = count; left > 0; left--) await ask('{ nothing }', { 'x-correlator': 'export-all' })
    await vi.waitFor(
      async () => {
        const answer = await ask('{ requests(filter: { correlator: "export-all" }) { totalCount } }')
        const body = await answer.json()
        expect(body).toEqual({ data: { requests: { totalCount: count } } })
      },
      { timeout: 60_000, interval: 50 },
    )
    await using opened = await pages.open('/desk/requests?correlator=export-all', { client: 'demo-portal' })
    const { page } = opened
    await page.getByRole('button', { name: 'More', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Requests: query and export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV' }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv.match(/export-all/g)).toHaveLength(count)
    expectClean(opened)
  })

  it.each([
    ['/desk/requests?days=30&status=400', 'demo-portal'],
    ['/partner/transactions?days=30&outcome=FAILED', 'demo-partner'],
  ])('DESK-13 MUST copy the link of the view %s', async (path, client) => {
    await using opened = await pages.open(path, {
      client,
      width: 390,
      before: page => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const { page } = opened
    await page.getByRole('button', { name: 'Copy link' }).click()
    await vi.waitFor(
      async () =>
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe(pages.stack.address + path),
      { timeout: 10_000, interval: 5 },
    )
    await expectFit(page)
    expectClean(opened)
  })

  it('DESK-05 MUST be closed to other roles, and ask those who are not signed in to sign in', async () => {
    await using analyst = await pages.open('/desk', { client: 'demo-analyst' })
    await analyst.page.getByText('Your role may not see this').waitFor()
    await expectFit(analyst.page)
    await using nobody = await pages.open('/desk/webhooks', { client: '' })
    await nobody.page.getByText('Sign in to see this').waitFor()
  })
})
