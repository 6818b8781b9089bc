/** The page for operations in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { describePages, expectClean, expectFit } from './portal.ts'

/** Runs the operation of the tab with this name. */
const run = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
}

const answer = (page: Page) => page.locator('.answer-body')

/** Shows the answer in another form. */
const show = (page: Page, name: string) =>
  page.locator('.answer-views').getByRole('button', { name, exact: true }).click()

/** Writes another text into the editor with this name. */
const write = async (page: Page, editor: string, text: string) => {
  await page.getByRole('textbox', { name: editor }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

describePages('graphql', pages => {
  it.each([
    ['a phone', 390, 844],
    ['a desk', 1_440, 900],
  ])(
    'IDE-01 MUST show an answer by the very first click in a fresh browser, on %s',
    async (_, width, height) => {
      await using opened = await pages.open('/graphql', { client: 'demo-partner', width, height })
      const { page } = opened
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await answer(page).getByText('Muna Al Balushi').waitFor()
      expect(await answer(page).innerText()).not.toContain('"errors"')
      const { x, y, ...size } = (await answer(page).boundingBox())!
      expect([x >= 0, y >= 0, x + size.width <= width, y < height - 200]).toEqual([true, true, true, true])
      expect(Math.min(size.width, size.height)).toBeGreaterThan(200)
      await expectFit(page)
      expectClean(opened)
    },
  )

  it('IDE-02 MUST run the examples as whoever is signed in, and keep what was written', async () => {
    await using opened = await pages.open('/graphql', { client: '' })
    const { page } = opened
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'demo-analyst' }).click()
    await page.getByRole('button', { name: /Signed in as/ }).waitFor()
    await run(page, 'Customer360')
    await answer(page).getByText('Muna Al Balushi').waitFor()
    await run(page, 'Timeline')
    await answer(page).getByText('REDEMPTION').first().waitFor()
    await run(page, 'Summary')
    await answer(page).getByText('failureRate').first().waitFor()
    await write(page, 'Operation', 'query Mine { me { role } }')
    await page.keyboard.press('ControlOrMeta+Enter')
    await answer(page).getByText('"role": "analyst"').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Mine', exact: true }).waitFor()
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(kept).toContain('query Mine')
    expect(kept).not.toMatch(/eyJ/)
    expectClean(opened)
  })

  it('IDE-03 MUST show an answer as a table, and export it', async () => {
    await using opened = await pages.open('/graphql')
    const { page } = opened
    await run(page, 'Timeline')
    await show(page, 'Table')
    await page.getByRole('columnheader', { name: 'description' }).waitFor()
    const shown = await page.locator('.answer-table tbody tr').count()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Timeline.csv')
    const [heading, ...rows] = (await readFile(await download.path(), 'utf8')).split('\r\n').filter(Boolean)
    expect(heading).toBe('\uFEFFkind,occurredAt,outcome,description,amount.value,amount.currency,points')
    expect(rows).toHaveLength(shown)
    await expectFit(page)
    expectClean(opened)
  })

  it('IDE-04 MUST list events as they happen, and those of a time after a cut', async () => {
    await using opened = await pages.open('/graphql', { client: 'demo-portal' })
    const { page } = opened
    await run(page, 'LiveDesk')
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(1), 10_000)
    await pages.post()
    await page.getByText('1 event', { exact: true }).waitFor()
    const restore = pages.cut()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(0), 10_000)
    const missed = [await pages.post(), await pages.post()]
    restore()
    await page.getByText('3 events', { exact: true }).waitFor()
    expect(await page.locator('.answer-events > li').count()).toBe(3)
    await page.locator('.answer-events summary').first().click()
    await page.locator('.answer-events').getByText(missed[1]!).waitFor()
    await show(page, 'Table')
    await page.getByRole('cell', { name: missed[0]! }).first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(0), 10_000)
    await expectFit(page)
    expectClean(opened)
  })

  it('IDE-05 MUST say that a subscription without a cursor has ended where it was cut', async () => {
    await using opened = await pages.open('/graphql', { client: 'demo-portal' })
    const { page } = opened
    await page.getByRole('button', { name: '+ New' }).click()
    await write(page, 'Operation', 'subscription Plain { transactionEvents { kind } }')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(1), 10_000)
    await pages.post()
    await page.getByText('1 event', { exact: true }).waitFor()
    pages.cut()()
    await page.getByText(/Run it again to go on/).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })

  it('IDE-11 MUST run what was to be run once signed in, and follow events while another tab posts', async () => {
    await using opened = await pages.open('/graphql', { client: '' })
    const { page } = opened
    await run(page, 'LiveDesk')
    await page.getByRole('button', { name: /^demo-partner P/ }).click()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(1), 10_000)
    await run(page, 'CreatePayment')
    await answer(page).getByText('processing').waitFor()
    await page.locator('.ide-tab-live', { hasText: '1' }).waitFor()
    await page.getByRole('button', { name: 'LiveDesk', exact: true }).click()
    await page.getByText('1 event', { exact: true }).waitFor()
    await expectFit(page)
    await page.getByRole('button', { name: 'Close: LiveDesk' }).click()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(0), 10_000)
    await page.getByRole('button', { name: 'CreatePayment', exact: true }).click()
    await answer(page).getByText('processing').waitFor()
    expectClean(opened)
  })

  it('IDE-06 MUST post with new ids at each run, by a token that was pasted', async () => {
    await using opened = await pages.open('/graphql', { client: '' })
    const { page } = opened
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('With an access token').click()
    await page.getByLabel('Access token').fill(await pages.stack.token('demo-partner'))
    await page.getByRole('button', { name: 'Use token' }).click()
    await page.getByRole('button', { name: /Signed in as/ }).waitFor()
    const before = await pages.stack.app.db.payment.count()
    for (const count of [1, 2]) {
      await run(page, 'CreatePayment')
      await vi.waitFor(
        async () => expect(await pages.stack.app.db.payment.count()).toBe(before + count),
        10_000,
      )
      await answer(page).getByText('processing').waitFor()
    }
    expectClean(opened)
  })

  it('IDE-07 MUST complete and check what is written, and show the schema', async () => {
    await using opened = await pages.open('/graphql')
    const { page } = opened
    await page.getByRole('button', { name: '+ New' }).click()
    await page.getByRole('button', { name: 'Schema' }).click()
    await page.getByPlaceholder('Type or field').fill('totalDues')
    await page.getByRole('button', { name: 'Customer.totalDues' }).click()
    await page.getByRole('heading', { name: 'Customer', exact: true }).waitFor()
    await expectFit(page)
    await write(page, 'Operation', 'query Broken { nothingLikeThis }')
    await page.locator('.cm-lintRange-error').first().waitFor()
    await write(page, 'Operation', '{ subscr')
    await page.keyboard.press('Control+Space')
    await page.locator('.cm-tooltip-autocomplete').getByText('subscriber').first().waitFor()
    expectClean(opened)
  })

  it('IDE-08 MUST ask for the plan where that is wanted, and show it with fetches and statements', async () => {
    const asked: (string | undefined)[] = []
    await using opened = await pages.open('/graphql')
    const { page } = opened
    page.on('request', request => {
      if (request.postData()?.includes('Customer360')) asked.push(request.headers()['x-explain'])
    })
    await run(page, 'Customer360')
    await answer(page).getByText('Muna Al Balushi').waitFor()
    await show(page, 'Plan')
    await page.getByText(/Tick “Explain”/).waitFor()
    await page.getByLabel('Explain').check()
    await run(page, 'Customer360')
    await page.locator('.explain').getByText('execution', { exact: true }).waitFor()
    const fetches = page.locator('.explain-fetch')
    expect(await fetches.count()).toBeGreaterThan(2)
    await fetches.filter({ hasNotText: '0 statements' }).first().locator('summary').click()
    await page.getByRole('columnheader', { name: 'rows' }).waitFor()
    expect(asked).toEqual([undefined, '1'])
    await expectFit(page)
    await show(page, 'JSON')
    expect(await answer(page).innerText()).not.toContain('"explain"')
    expectClean(opened)
  })

  it('IDE-09 MUST open the query of a panel, and what a link holds', async () => {
    await using opened = await pages.open('/explore')
    const { page } = opened
    await page.locator('.entry').first().waitFor()
    await page.getByRole('button', { name: /^Timeline: / }).click()
    await page.getByRole('menuitem', { name: 'Open in GraphQL' }).click()
    await page.waitForURL(/\/graphql#query=/)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await answer(page).getByText('"timeline"').waitFor()
    await page.goto(
      `${pages.stack.address}/graphql#${new URLSearchParams({ query: 'query Linked { me { id } }' })}`,
    )
    await page.reload()
    await page.getByRole('button', { name: 'Linked', exact: true }).waitFor()
    expectClean(opened)
  })

  it.each([
    ['in Arabic on a phone, dark', { width: 390, height: 844, language: 'ar', theme: 'dark' }],
    ['in Arabic on a desk', { language: 'ar' }],
  ] as const)('IDE-10 MUST fit and be accessible %s', async (_, options) => {
    await using opened = await pages.open('/graphql', options)
    await opened.page.locator('.cm-content').nth(1).waitFor()
    await expectFit(opened.page)
    expect(await opened.page.locator('script:not([src]):not([type="application/json"])').count()).toBe(0)
    expectClean(opened)
  })
})
