/**
 * States of the pages that show the graph: nothing there, on its way, failed, without a part, without rights, signed out.
 * Services of the server itself are out of order; nothing is answered in their place.
 */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadServices } from '#gateway/load-services.ts'
import type { StackOptions } from '../support/stack.ts'
import type { WatchedPage } from './chromium.ts'
import { describePages, expectFit } from './portal.ts'
import { makeTrouble } from './trouble.ts'

/** Services that are out of order. */
const away = new Set<string>()

const STACK: StackOptions = {
  env: { LOG_LEVEL: 'silent' },
  parts: async app => ({
    services: (await loadServices(app)).map(service => ({
      ...service,
      context: (caller, shared) => {
        if (away.has(service.name)) throw new Error('out of order')
        return service.context(caller, shared)
      },
    })),
  }),
}

interface View {
  /** Address; `{id}` is that of a reward. */
  readonly path: string
  readonly client: string
  /** Something that is on the page once it is loaded. */
  readonly loaded: string
  /** Address at which there is nothing, and what is said of it. */
  readonly empty: readonly [path: string, text: string]
  /** Service without which a part is missing, and something that is shown all the same. */
  readonly partial?: readonly [service: string, rest: string]
  /** A client whose role may not see it. */
  readonly stranger: string
}

const VIEWS: Record<string, View> = {
  // Sums are those of one service: they are there, or they are not.
  analyse: {
    path: '/analyse',
    client: 'demo-analyst',
    loaded: '.table',
    empty: ['/analyse?merchant=nobody', 'Nothing fits these filters'],
    stranger: 'auditor',
  },
  desk: {
    path: '/desk/partners/demo-partner/transactions?days=30',
    client: 'demo-portal',
    loaded: '.table',
    empty: ['/desk/requests?correlator=none-such', 'No requests fit'],
    partial: ['loyalty', '.table'],
    stranger: 'demo-analyst',
  },
  partner: {
    path: '/partner/transactions?days=30',
    client: 'demo-partner',
    loaded: '.table',
    empty: ['/partner/transactions?outcome=PENDING', 'No transactions fit'],
    partial: ['loyalty', '.table'],
    stranger: 'demo-analyst',
  },
  transaction: {
    path: '/explore/transactions/{id}',
    client: 'demo-portal',
    loaded: '.details',
    empty: ['/explore/transactions/019f0000-0000-7000-8000-000000000000', 'There is no such transaction'],
    partial: ['loyalty', '.steps'],
    stranger: 'auditor',
  },
}

/** Goes on within the page, as a link does. */
const goTo = (page: Page, path: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)

describePages(
  'states',
  pages => {
    let reward: string
    let auditor: string
    const pathOf = ({ path }: View) => path.replace('{id}', reward)

    beforeAll(async () => {
      ;({ reward } = await makeTrouble(pages.stack))
      auditor = await pages.stack.token({ id: 'watch', role: 'auditor' })
    }, 60_000)
    afterEach(() => away.clear())

    /** Opens a page that asks the graph for nothing but who one is, and waits until one is signed in. */
    const openSignedIn = async (client: string, width = 1_440): Promise<WatchedPage> => {
      const opened = await pages.open('/docs', { client: client === 'auditor' ? '' : client, width })
      const { page } = opened
      if (client === 'auditor') {
        await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('With an access token').click()
        await page.getByLabel('Access token').fill(auditor)
        await page.getByRole('button', { name: 'Use token' }).click()
      }
      await page.locator('.session').waitFor()
      return opened
    }

    const views = Object.entries(VIEWS)

    it.each(views)('STATE-01 MUST say at %s that nothing is there', async (_, { client, empty }) => {
      const [path, text] = empty
      await using opened = await pages.open(path, { client })
      await opened.page.getByText(text).first().waitFor()
      await expectFit(opened.page)
    })

    it.each(views)('STATE-02 MUST show at %s that it is on its way', async (_, view) => {
      let answer = () => {}
      const held = new Promise<void>(done => {
        answer = done
      })
      await using opened = await openSignedIn(view.client)
      const { page } = opened
      await page.route('**/graphql', async route => {
        await held
        await route.continue()
      })
      await goTo(page, pathOf(view))
      await page.locator('.skeleton').first().waitFor()
      answer()
      await page.locator(view.loaded).first().waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    })

    it.each(views)('STATE-03 MUST say at %s that it failed, and try again', async (_, view) => {
      await using opened = await openSignedIn(view.client, 390)
      const { page } = opened
      for (const { name } of pages.stack.server.services) away.add(name)
      await goTo(page, pathOf(view))
      await page.getByText('This could not be loaded').first().waitFor()
      await expectFit(page)
      away.clear()
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.locator(view.loaded).first().waitFor()
    })

    it.each(views.filter(([, { partial }]) => partial))(
      'STATE-04 MUST say at %s that a part is away, and show the rest',
      async (_, view) => {
        const [service, rest] = view.partial!
        await using opened = await openSignedIn(view.client, 390)
        const { page } = opened
        away.add(service)
        await goTo(page, pathOf(view))
        await page.getByText('Part of this cannot be reached at the moment.').first().waitFor()
        await page.locator(rest).first().waitFor()
        await expectFit(page)
        away.clear()
        await page.getByRole('button', { name: 'Try again' }).first().click()
        await page.getByText('Part of this cannot be reached').first().waitFor({ state: 'detached' })
        await page.locator(view.loaded).first().waitFor()
      },
    )

    it.each(views)('STATE-05 MUST say at %s that a role may not see it', async (_, view) => {
      await using opened = await openSignedIn(view.stranger)
      const { page } = opened
      await goTo(page, pathOf(view))
      await page.getByText('Your role may not see this').first().waitFor()
      await expectFit(page)
    })

    it.each(views)('STATE-06 MUST ask at %s those who are not signed in to sign in', async (_, view) => {
      await using opened = await pages.open(pathOf(view), { client: '' })
      const { page } = opened
      await page.getByRole('main').getByText('Sign in to see this').waitFor()
      await expectFit(page)
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('dialog').getByText(view.client, { exact: true }).click()
      await page.locator(view.loaded).first().waitFor()
    })

    const AWAY = 'The server does not answer.'

    it.each([390, 1_440])(
      'STATE-07 MUST keep a sign-in while the services are away, say so at %i, and go on when they are back',
      async width => {
        const everyone = pages.stack.server.services.map(({ name }) => name)
        for (const name of everyone) away.add(name)
        await using opened = await pages.open('/partner/transactions?days=30', {
          client: 'demo-partner',
          width,
        })
        const { page } = opened
        await page.getByText(AWAY).waitFor()
        await expectFit(page)
        await page.reload()
        await page.getByText(AWAY).waitFor()
        away.clear()
        await page.locator('.table').waitFor()
        await page.getByText(AWAY).waitFor({ state: 'detached' })
      },
    )

    it('STATE-08 MUST keep a token that was pasted while the network is away, and let go of it on sign-out', async () => {
      await using opened = await pages.open('/partner/transactions?days=30', { client: '' })
      const { page } = opened
      const token = await pages.stack.token('demo-partner')
      const paste = async () => {
        await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
        await page.getByText('With an access token').click()
        await page.getByLabel('Access token').fill(token)
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'Use token' }).click()
        await page.getByRole('dialog').getByText(AWAY).waitFor()
        await page.keyboard.press('Escape')
      }
      await paste()
      await page.getByRole('alert').getByRole('button', { name: 'Sign out' }).click()
      await page.getByText(AWAY).waitFor({ state: 'detached' })
      await page.context().setOffline(false)
      await paste()
      await page.context().setOffline(false)
      await page.locator('.table').waitFor()
      expect(await page.getByText(AWAY).count()).toBe(0)
    })

    it('STATE-09 MUST forget a token that the server refuses', async () => {
      await using opened = await pages.open('/partner', { client: '' })
      const { page } = opened
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('With an access token').click()
      await page.getByLabel('Access token').fill('none')
      await page.getByRole('button', { name: 'Use token' }).click()
      await page.getByText(/Signing in failed: /).waitFor()
      expect(await page.getByText(AWAY).count()).toBe(0)
    })
  },
  STACK,
)
