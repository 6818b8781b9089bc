/** `CORS_ORIGINS`: from which origins browsers may call. */
import { describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const read = (text: string | undefined, env: Record<string, string> = { DEMO: '0' }) =>
  readConfig({ ...env, CORS_ORIGINS: text }).corsOrigins

describe('CORS_ORIGINS', () => {
  it('CORS-20 MUST be none unless set, and on a demo any port of this machine', () => {
    expect(read(undefined)).toMatchObject({ none: true, all: false })
    const demo = read(undefined, {})
    const judged = [
      'http://localhost',
      'http://localhost:5173',
      'http://127.0.0.1:80',
      'https://localhost:1',
      'null',
    ]
    expect(judged.map(demo.allows)).toEqual([true, true, false, false, false])
    expect(demo.allows('http://127.0.0.1:8080')).toBe(true)
  })

  it.each([
    ['https://a.test', 'https://a.test', true],
    ['https://A.test:443', 'https://a.test', true],
    ['https://a.test', 'https://a.test:8443', false],
    ['https://a.test', 'http://a.test', false],
    ['https://a.test', 'https://b.a.test', false],
    ['https://a.test', 'https://a.test.b.test', false],
    ['https://a.test', 'https://a.test/', false],
    ['https://a.test:*', 'https://a.test:8443', true],
    ['https://a.test:*', 'https://a.test.b:8443', false],
    ['http://[::1]:*', 'http://[::1]:3000', true],
    ['https://b.test, https://a.test', 'https://a.test', true],
    ['*', 'null', true],
    ['https://b.test,*', 'https://a.test', true],
  ])('CORS-21 MUST judge by the list %s: %s is %s', (text, origin, allowed) => {
    expect(read(text).allows(origin)).toBe(allowed)
  })

  it.each([
    'a.test',
    'https://',
    'https://a.test/',
    'https://a.test/x',
    'https://*.a.test',
    'ftp://a.test',
    'null',
    'https://u@a.test',
    'https://a.test:99999',
    'https://a b',
  ])('CORS-22 MUST be refused, naming the fault: %s', text => {
    expect(() => read(`https://b.test,${text}`)).toThrow(
      `CORS_ORIGINS must be * or origins such as https://portal.test or http://localhost:*, comma-separated: ${JSON.stringify(text)} is neither`,
    )
  })

  it('CORS-23 MUST be refused with every fault, beside those of others', () => {
    expect(() => readConfig({ CORS_ORIGINS: 'x,y', PAGES: '2' })).toThrow('The configuration has 3 fault(s)')
  })
})
