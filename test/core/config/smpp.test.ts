/** `SMS`, `SMPP_URL` and what goes with them; and that no message shows a password. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const read = (env: Record<string, string>) => readConfig({ SMS: 'smpp', ...env }).smpp

const faultsOf = (env: Record<string, string>): string => {
  try {
    read(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the settings of SMS', () => {
  it('SMPP-70 are none unless they are set', () => {
    expect(readConfig({}).smpp).toBeUndefined()
    expect(readConfig({ SMPP_URL: 'smpp://a:b@c' }).smpp).toBeUndefined()
  })

  it('SMPP-71 are one bind for each address, with its options', () => {
    const SMPP_URL =
      'smpp://part%40ner:p%2Cw%3A1@smsc.example, smpps://b@[::1]:3551?window=50&rate=200&timeout=5&enquire=60&system_type=VMA&receipts=0&centre=city.1&ids=decimal-hex&query=0'
    expect(read({ SMPP_URL })).toEqual({
      binds: [
        {
          name: 'smsc.example:2775',
          centre: 'part@ner@smsc.example:2775',
          host: 'smsc.example',
          port: 2775,
          tls: false,
          systemId: 'part@ner',
          password: 'p,w:1',
          systemType: '',
          window: 10,
          rate: 0,
          timeoutMs: 10_000,
          enquireMs: 30_000,
          receipts: true,
          ids: 'any',
          query: true,
        },
        {
          name: '::1:3551',
          centre: 'city.1',
          host: '::1',
          port: 3551,
          tls: true,
          systemId: 'b',
          password: '',
          systemType: 'VMA',
          window: 50,
          rate: 200,
          timeoutMs: 5_000,
          enquireMs: 60_000,
          receipts: false,
          ids: 'decimal-hex',
          query: false,
        },
      ],
      resendMs: 30_000,
      marginMs: 3_600_000,
    })
  })

  it.each([
    ['no address', {}, 'SMPP_URL must be set'],
    ['another protocol', { SMPP_URL: 'http://a:hush@b' }, 'must begin with smpp://'],
    ['no address at all', { SMPP_URL: 'hush' }, 'address 1: it must be smpp://'],
    ['no system_id', { SMPP_URL: 'smpp://host' }, 'system_id'],
    ['a password that is too long', { SMPP_URL: 'smpp://a:hushhushhush@b' }, 'password must be at most 8'],
    ['a password with a broken escape', { SMPP_URL: 'smpp://a:hush%zz@b' }, 'password'],
    [
      'an option that is none',
      { SMPP_URL: 'smpp://a:hush@b,smpp://a:hush@b?windows=3' },
      'address 2: there is no option "windows"',
    ],
    [
      'an option out of range',
      { SMPP_URL: 'smpp://a:hush@b?window=0' },
      'window must be a whole number from 1',
    ],
    [
      'resending before a response can come',
      { SMPP_URL: 'smpp://a:hush@b', SMPP_RESEND_SECONDS: '5' },
      'longest timeout',
    ],
    ['a form of ids that is none', { SMPP_URL: 'smpp://a:hush@b?ids=octal' }, 'ids must be any, text'],
    ['a centre without a name', { SMPP_URL: 'smpp://a:hush@b?centre=' }, 'centre must be 1 to 64'],
    ['another system', { SMS: 'pigeon' }, 'SMS must be ledger or smpp'],
  ])('SMPP-72 are refused, and no password is told: %s', (_, env, fault) => {
    expect(faultsOf(env)).toContain(fault)
    expect(faultsOf(env)).not.toContain('hush')
  })
})
