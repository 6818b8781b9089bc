/** Sign-in of people at an outside identity provider, by authorization code with PKCE, in a real browser. */
import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { CHROMIUM, launch, openPage } from './chromium.ts'
import { AUDIENCE, CLIENT_ID, type ProviderProcess, startProvider } from './identity-provider.ts'
import { expectFit } from './portal.ts'

const isBuilt = existsSync(projectPath('portal', 'dist', 'index.html'))

let provider: ProviderProcess
let stack: Stack
let browser: Browser

/** Traces of a token in what a browser keeps. */
const TOKEN = /eyJ|access_token|refresh_token|id_token/

/** The tokens that a page sends to the graph, in their order. */
const tokensOf = (page: Page): string[] => {
  const tokens: string[] = []
  page.on('request', request => {
    const token = request.headers()['authorization']
    if (request.url() === `${stack.address}/graphql` && token && token !== tokens.at(-1)) tokens.push(token)
  })
  return tokens
}

/** Signs in with the forms of the provider. */
const signInAs = async (page: Page, name: string) => {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Continue to sign-in' }).click()
  await page.locator('[name=login]').fill(name)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe.skipIf(!CHROMIUM || !isBuilt)('sign-in at an outside provider', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    provider = await startProvider()
    const env = {
      AUTH_ISSUER: provider.issuer,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_JWKS_URL: `${provider.issuer}/jwks`,
      AUTH_CLIENT_ID: CLIENT_ID,
    }
    stack = await startStack({ env })
    await provider.serve(stack.address)
    browser = await launch()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await stack?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  it('SIGNIN-01 MUST sign a person in, with the role of the token, and bring back to the same page', async () => {
    await using opened = await openPage(browser, stack.address, '/explore?kinds=PAYMENT')
    const { page, complaints } = opened
    await signInAs(page, 'analyst-anna')
    await page.locator('.entry').first().waitFor()
    expect(page.url()).toBe(`${stack.address}/explore?kinds=PAYMENT`)
    await page.getByText('Analyst', { exact: true }).waitFor()
    const kept = await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(kept).not.toMatch(TOKEN)
    await expectFit(page)
    expect(complaints).toEqual([])
  })

  it('SIGNIN-02 MUST renew the token without a word, and be there again after a reload', async () => {
    await using opened = await openPage(browser, stack.address, '/explore')
    const { page } = opened
    const tokens = tokensOf(page)
    await signInAs(page, 'portal-peter')
    await page.locator('.entry').first().waitFor()
    const [first] = tokens
    await vi.waitFor(
      async () => {
        await page.getByRole('button', { name: 'Failed', exact: true }).click()
        expect(tokens.at(-1)).not.toBe(first)
      },
      { timeout: 30_000, interval: 500 },
    )
    await page.getByRole('button', { name: /Signed in as/ }).waitFor()
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toMatch(
      TOKEN,
    )
    await page.reload()
    await page.locator('.entry, .state').first().waitFor()
    await page.getByText('Portal', { exact: true }).waitFor()
    expect(page.url()).toContain('/explore')
  })

  it('SIGNIN-06 MUST come back signed out, without a fault, where the provider has forgotten the person', async () => {
    await using opened = await openPage(browser, stack.address, '/explore')
    const { page } = opened
    await signInAs(page, 'portal-peter')
    await page.locator('.entry').first().waitFor()
    await page.context().clearCookies()
    await page.reload()
    await page.waitForURL(`${stack.address}/explore`)
    await page.getByText('Sign in to see this').first().waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Continue to sign-in' }).waitFor()
    expect(await page.getByText(/Signing in failed/).count()).toBe(0)
  })

  it('SIGNIN-03 MUST sign out here and there', async () => {
    await using opened = await openPage(browser, stack.address, '/explore')
    const { page } = opened
    await signInAs(page, 'analyst-anna')
    await page.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /Yes, sign me out/ }).click()
    await page.waitForURL(`${stack.address}/`)
    await page.reload()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).waitFor()
  })

  it('SIGNIN-04 MUST say what a role may not see', async () => {
    await using opened = await openPage(browser, stack.address, '/explore')
    const { page } = opened
    await signInAs(page, 'nobody-nick')
    await page.getByText('Sign in to see this').first().waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/Signing in failed: /).waitFor()
  })

  it('SIGNIN-05 MUST allow the pages to reach the provider and nothing else', async () => {
    const shell = await fetch(`${stack.address}/explore`, { headers: { accept: 'text/html' } })
    const policy = shell.headers.get('content-security-policy')!
    expect(policy).toContain(`connect-src 'self' ${provider.issuer};`)
    expect(policy).toContain(`frame-src 'self' ${provider.issuer};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(await shell.text()).not.toMatch(/secret(?!\/rotate)/)
    const back = await fetch(`${stack.address}/pages/signed-in`, { headers: { accept: 'text/html' } })
    expect(back.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })
})
