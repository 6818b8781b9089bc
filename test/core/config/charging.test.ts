/** `CHARGING` and its settings. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const HTTP = { CHARGING: 'http', CHARGING_URL: 'https://charging.test/v1', CHARGING_TOKEN: 'secret' }

const faultOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('CHARGING', () => {
  it('CHARGING-01 MUST be the embedded ledger unless set', () => {
    expect(readConfig({}).charging).toBeUndefined()
    expect(readConfig({ CHARGING: 'ledger' }).charging).toBeUndefined()
  })

  it('CHARGING-02 MUST say where the orders of each service go', () => {
    const { charging } = readConfig({ ...HTTP, CHARGING_PREPAID_URL: 'http://ocs.test:8080' })
    expect(charging).toEqual({
      url: 'https://charging.test/v1',
      urls: new Map([['prepaid', 'http://ocs.test:8080']]),
      token: 'secret',
      callbackSecret: undefined,
      timeoutMs: 10_000,
      parallel: 32,
    })
  })

  it.each([
    [{ CHARGING: 'mail' }, 'CHARGING must be ledger or http'],
    [{ CHARGING: 'http' }, 'CHARGING_URL, or that of a service, must be set with CHARGING=http'],
    [{ CHARGING: 'http' }, 'CHARGING_TOKEN must be set with CHARGING=http'],
    [{ CHARGING_URL: 'http://a' }, 'CHARGING must be http when a CHARGING_URL is set'],
    [{ ...HTTP, CHARGING_URL: 'ftp://a' }, 'CHARGING_URL must be an http(s) address'],
    [
      { ...HTTP, CHARGING_LOYALTY_URL: 'http://user:word@a' },
      'CHARGING_LOYALTY_URL must be an http(s) address',
    ],
    [{ ...HTTP, CHARGING_TOKEN: 'two words' }, 'CHARGING_TOKEN must be printable, without spaces'],
    [{ ...HTTP, CHARGING_CALLBACK_SECRET: 'short' }, 'CHARGING_CALLBACK_SECRET must be whsec_'],
    [{ ...HTTP, CHARGING_TIMEOUT_MS: '1' }, 'CHARGING_TIMEOUT_MS must be a whole number from 100 to 60000'],
    [{ ...HTTP, CHARGING_PARALLEL: '0' }, 'CHARGING_PARALLEL must be a whole number from 1 to 1000'],
  ])('CHARGING-03 MUST stop the start with what is wrong: %j', (env, fault) => {
    expect(faultOf(env as Record<string, string>)).toContain(fault)
  })
})
