/** An outside identity provider is named by three settings, and by no fewer. */
import { expect, test } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const OUTSIDE = {
  AUTH_ISSUER: 'https://id.example.com',
  AUTH_AUDIENCE: 'partner-api',
  AUTH_JWKS_URL: 'https://id.example.com/certs',
}

test('AUTH-01 all three name it', () => {
  expect(readConfig(OUTSIDE).auth).toMatchObject({
    issuer: 'https://id.example.com',
    audience: 'partner-api',
  })
})

test.each(Object.entries(OUTSIDE))('AUTH-02 MUST name what is missing beside %s', (given, value) => {
  const missing = Object.keys(OUTSIDE).filter(name => name !== given)
  const read = () => readConfig({ [given]: value })
  for (const name of missing) expect(read).toThrow(`${name} must be set when ${given} is set`)
})
