/** The analyst's timeline in a real browser: filters, events, export, keyboard, and a very long one. */
import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { createGraph } from '../support/graph.ts'
import { describePages, expectClean, expectFit } from './portal.ts'

describePages('explore-timeline', pages => {
  it('EXPLORE-04 MUST keep filters in the address, by chips, chart and fields, and save views', async () => {
    await using opened = await pages.open('/explore')
    const { page } = opened
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await page.waitForURL(/outcomes=FAILED/)
    await vi.waitFor(async () => {
      const outcomes = await page.locator('.entry-outcome').allInnerTexts()
      expect(new Set(outcomes)).toEqual(new Set(['Failed']))
    }, 5_000)
    await page.locator('.bar-name').nth(10).click()
    await page.waitForURL(/from=\d{4}-\d\d-01&to=/)
    await page.getByRole('button', { name: /^Payment \d/ }).click()
    await page.waitForURL(/kinds=PAYMENT/)
    const address = page.url()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Failed payments')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.waitForURL(/explore$/)
    await page.getByRole('link', { name: 'Failed payments' }).click()
    await page.waitForURL(
      url => new URLSearchParams(url.search).toString() === new URL(address).searchParams.toString(),
    )
    expect(await page.getByRole('button', { name: 'Failed', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await expectFit(page)
    expectClean(opened)
  })

  it('EXPLORE-15 MUST say how much a customer paid in the month that is chosen', async () => {
    const account = '100001'
    const paid = await pages.stack.app.db.payment.findFirstOrThrow({
      where: { accountNumber: account, status: 'succeeded' },
      orderBy: { createdAt: 'asc' },
    })
    const month = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'Asia/Muscat',
      year: 'numeric',
      month: '2-digit',
    }).format(paid.createdAt)
    const { data } = await createGraph(pages.stack.address)(
      `{ customer(customerAccountNumber: "${account}") { timeline(first: 200, filter: { kinds: [PAYMENT] }) {
        nodes { occurredAt outcome amount { value } } } } }`,
      { token: await pages.stack.token('demo-analyst') },
    )
    const nodes: { occurredAt: string; outcome: string; amount: { value: number } }[] =
      data.customer.timeline.nodes
    const own = nodes.filter(
      ({ occurredAt }) =>
        new Date(Date.parse(occurredAt) + 4 * 3_600_000).toISOString().slice(0, 7) === month,
    )
    const sum = own
      .filter(({ outcome }) => outcome === 'COMPLETED')
      .reduce((total, { amount }) => total + amount.value, 0)
    await using opened = await pages.open(`/explore/customers/${account}`)
    const { page } = opened
    const legend = page.getByRole('button', { name: /^Payment \d/ })
    await legend.filter({ hasText: String(nodes.length) }).waitFor()
    const [year, number] = month.split('-').map(Number)
    const now = new Date(Date.now() + 4 * 3_600_000)
    const ago = (now.getUTCFullYear() - year!) * 12 + now.getUTCMonth() + 1 - number!
    await page
      .locator('.bar-name')
      .nth(11 - ago)
      .click()
    await page.waitForURL(new RegExp(`from=${month}-01`))
    await legend.getByText(`${own.length} · OMR\u00a0${sum.toFixed(3)}`).waitFor()
    await page.locator('.months .panel-aside').getByText(String(year)).waitFor()
    await expectFit(page)
    expectClean(opened)
  })

  it('EXPLORE-05 MUST say how many events it caught up after a cut', async () => {
    await using opened = await pages.open('/explore')
    const { page } = opened
    const strip = page.locator('.live')
    await strip.getByText('Live', { exact: true }).waitFor()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(1), 10_000)
    const shown = (id: string) => strip.locator(`a[href$="${id}"]`).waitFor()
    await shown(await pages.post())
    const restore = pages.cut()
    await vi.waitFor(() => expect(pages.stack.listeners()).toBe(0), 10_000)
    const missed = [await pages.post(), await pages.post(), await pages.post()]
    await pages.stack.settled()
    restore()
    for (const id of missed) await shown(id)
    await strip.getByText('Resumed, 3 events caught up').waitFor()
    await page.getByRole('button', { name: 'Show 4 new events' }).click()
    await page.locator(`.entry[href$="${missed[2]}"]`).waitFor()
    await shown(await pages.post())
    await strip.getByText('Resumed, 3 events caught up').waitFor()
    expectClean(opened)
  })

  it('EXPLORE-08 MUST show and copy the query of a panel, and export what it shows', async () => {
    await using opened = await pages.open('/explore?kinds=PAYMENT', {
      before: page => page.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const { page } = opened
    await page.locator('.entry').first().waitFor()
    await page.getByRole('button', { name: /^Timeline: / }).click()
    await page.getByRole('menuitem', { name: 'Show query' }).click()
    await page.getByRole('dialog').getByText('query Timeline(').waitFor()
    await expectFit(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `curl -s ${pages.stack.address}/graphql`,
    )
    await page.keyboard.press('Escape')
    const total = await pages.stack.app.db.payment.count()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV: Timeline' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n').filter(Boolean)
    expect(lines[0]).toBe(
      '\uFEFFid,kind,occurredAt,outcome,reason,amount,currency,points,description,postedBy,clientCorrelatorId,referenceCode',
    )
    expect(lines.slice(1).every(line => /,demo-[\w-]+,/.test(line))).toBe(true)
    expect(lines).toHaveLength(total + 1)
    expectClean(opened)
  })

  it('EXPLORE-09 MUST be used by the keyboard alone', async () => {
    await using opened = await pages.open('/explore')
    const { page } = opened
    await page.locator('.entry').first().waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement?.name')).toBe('q')
    await page.keyboard.type('balu')
    await page.keyboard.press('Enter')
    await page.waitForURL(/customers\/100002/)
    await page.locator('.entry').first().focus()
    const place = () =>
      page.evaluate<string>(`document.activeElement?.closest('li')?.getAttribute('aria-posinset')`)
    await page.keyboard.press('ArrowDown')
    await vi.waitFor(async () => expect(await place()).toBe('2'))
    await page.keyboard.press('j')
    await vi.waitFor(async () => expect(await place()).toBe('3'))
    await page.keyboard.press('End')
    await vi.waitFor(async () => expect(Number(await place())).toBeGreaterThan(10))
    await page.keyboard.press('Home')
    await vi.waitFor(async () => expect(await place()).toBe('1'))
    await page.keyboard.press('Enter')
    await page.waitForURL(/transactions/)
    expectClean(opened)
  })

  /** Pages of a long timeline, made in the page itself: requests would take longer than all else. */
  const longTimeline = (total: number) => `
    const fetchNow = window.fetch
    window.fetch = (address, init) => {
      const { query = '', variables } = address === '/graphql' || String(address.url ?? address).endsWith('/graphql')
        ? JSON.parse(init?.body ?? '{}') : {}
      const answer = data => Promise.resolve(Response.json({ data }))
      if (query.includes('query TimelineCount')) return answer({ timeline: { totalCount: ${total} } })
      if (!query.includes('query Timeline(')) return fetchNow(address, init)
      const begin = Number(variables.after ?? 0)
      const end = Math.min(${total}, begin + variables.first)
      const nodes = Array.from({ length: end - begin }, (_, index) => ({
        kind: 'PAYMENT', occurredAt: new Date(Date.UTC(2026, 10, 1) - (begin + index) * 60000).toISOString(),
        outcome: 'COMPLETED', description: 'Payment number ' + (begin + index),
        amount: { value: 1.5, currency: 'OMR' }, points: null, transaction: { id: 'id-' + (begin + index), reason: null },
      }))
      return answer({ timeline: { nodes, pageInfo: { hasNextPage: end < ${total}, endCursor: String(end) } } })
    }`

  /** Scrolls to the end again and again until so many entries have been shown. */
  const scrollUntil = (entries: number) => `(async () => {
    const last = () => Number([...document.querySelectorAll('.entries > li')].at(-1)?.ariaPosInSet)
    while (last() < ${entries}) {
      scrollTo(0, document.documentElement.scrollHeight)
      await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
    }
  })()`

  it.each([
    ['en', 'From', '1 Nov 2026'],
    ['ar', 'من', '١ نوفمبر ٢٠٢٦'],
  ] as const)(
    'EXPLORE-14 MUST write the day of a filter as %s does, and refuse what is no day',
    async (language, label, text) => {
      await using opened = await pages.open('/explore', { language })
      const { page } = opened
      const field = page.getByLabel(label, { exact: true })
      await field.fill('2026-11-01')
      await field.press('Enter')
      await page.waitForURL(/from=2026-11-01/)
      await vi.waitFor(async () => expect((await field.inputValue()).replace(/\u200f/g, '')).toBe(text))
      await field.fill('31/2/2026')
      await field.press('Enter')
      expect(
        await field.evaluate((input: { validationMessage: string }) => input.validationMessage),
      ).toContain(text)
      expect(page.url()).toContain('from=2026-11-01')
      expectClean(opened)
    },
  )

  it('EXPLORE-10 MUST scroll over 100,000 entries in flat memory', { timeout: 120_000 }, async () => {
    const TOTAL = 100_000
    await using opened = await pages.open('/explore', {
      width: 640,
      height: 480,
      before: page => page.addInitScript(longTimeline(TOTAL)),
    })
    const { page } = opened
    const cdp = await page.context().newCDPSession(page)
    const heap = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      return (await cdp.send('Runtime.getHeapUsage')).usedSize
    }
    await page.getByText('Payment number 0', { exact: true }).waitFor()
    await page.evaluate(scrollUntil(5_000))
    const before = await heap()
    await page.evaluate(scrollUntil(TOTAL))
    await page.getByText('That is all.').waitFor()
    const after = await heap()
    expect(await page.locator('.entries > li').count()).toBeLessThan(80)
    expect(after - before).toBeLessThan(8 * 1_024 * 1_024)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('Payment number 0', { exact: true }).waitFor()
    expectClean(opened)
  })
})
