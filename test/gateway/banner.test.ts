/** The greeting of a start: it shows nothing that would not work. */
import { expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { banner } from '#gateway/banner.ts'

const ADDRESS = 'http://127.0.0.1:4000'
const OUTSIDE = {
  AUTH_ISSUER: 'https://login.example',
  AUTH_AUDIENCE: 'partner-graph',
  AUTH_JWKS_URL: 'https://login.example/jwks',
}

it('BANNER-01 MUST show demo clients and one of their calls where they get tokens', () => {
  const text = banner(ADDRESS, readConfig({ DEMO: '1' }))
  expect(text).toContain('demo-analyst:demo-analyst-secret')
  expect(text).toContain(`${ADDRESS}/oauth2/accesstoken`)
})

it('BANNER-02 MUST show neither secrets nor a token endpoint with an outside issuer', () => {
  const text = banner(ADDRESS, readConfig({ DEMO: '1', ...OUTSIDE }))
  expect(text).not.toMatch(/secret|demo-|curl|accesstoken/)
  expect(text).toContain('https://login.example')
})
