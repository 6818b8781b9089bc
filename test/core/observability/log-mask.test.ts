/** Masks of log lines: whatever is logged, by whom and how deep, no secret, card or whole number stands in the line. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, forRecords, setLogLevel } from '#core/observability/log.ts'
import { createMask } from '#core/observability/log-mask.ts'

/** Logs to memory; `said` gives the objects of the lines, each of which must be JSON. */
const logger = (showsNumbers = false) => {
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) }, showsNumbers)
  return { log, lines, said: () => lines.map(line => JSON.parse(line)) }
}

const WRITTEN = ['91000002', '+96891000002', '0096891000002', '+968 9100 0002', '9100-0002']

describe('masks', () => {
  it.each(WRITTEN)(
    'MUST leave three digits of %s, in a message, a member, a key, a list and an error',
    number => {
      const { log, lines, said } = logger()
      log.info(`of ${number}, "quoted" ${number}`)
      log.warn({ deep: { path: `/lines/${number}/x`, [`of ${number}`]: [number] } }, 'seen')
      log.child({ who: number }).error({ err: new Error(`for ${number}`) })
      expect(lines).toHaveLength(3)
      const digits = number.replaceAll(/\D/g, '')
      for (const line of lines) {
        expect(line).not.toContain(number)
        expect(line.replaceAll(/[ -]/g, '')).not.toContain(digits.slice(-8))
        expect(line).toContain(`***${digits.slice(-3)}`)
      }
      expect(said()[1].deep.path).toBe('/lines/***002/x')
    },
  )

  it('MUST leave three digits of an account, however short, by the name of its member', () => {
    const { log, said } = logger()
    log.info({ customerAccountNumber: '20417', accountNumber: 20417, account: '100002', phoneNumber: 'A1' })
    expect(said()[0]).toMatchObject({
      customerAccountNumber: '***417',
      accountNumber: '***417',
      account: '***002',
      phoneNumber: '***',
    })
  })

  it('MUST keep ids, times, addresses, counts and correlators that are no number', () => {
    const { log, said } = logger()
    const kept = {
      transaction: '01920000-1111-7222-8333-444444444444',
      at: '2026-11-23T20:14:07.123456Z',
      day: '2026-11-23',
      trace: '4bf92f3577b34da6a3ce929d0e0e4736',
      address: 'http://127.0.0.1:54321',
      bytes: 123456789,
      correlator: 'order-20261123-000017',
    }
    log.info(kept)
    log.info({ correlator: '91000002' })
    expect(said()[0]).toMatchObject(kept)
    expect(said()[1].correlator).toBe('***002')
  })

  it('MUST write numbers whole where the operator wants them, and cards never', () => {
    const { log, said } = logger(true)
    log.info({ customerAccountNumber: '20417', of: '+96891000002', card: '4111 1111 1111 1111' })
    expect(said()[0]).toMatchObject({ customerAccountNumber: '20417', of: '+96891000002', card: '[card]' })
  })

  it.each(['4111111111111111', '4111-1111-1111-1111', '5500 0000 0000 0004'])(
    'MUST remove the card %s',
    card => {
      const { log, lines } = logger()
      log.info({ a: { b: { c: { d: { text: `paid with ${card}.` } } } } })
      expect(lines[0]).toContain('paid with [card].')
    },
  )

  it('MUST remove secrets by their names at any depth, and by their forms', () => {
    const { log, lines, said } = logger()
    const secret = 'never-to-be-logged'
    const named = { cvv: '123', token: secret, Authorization: secret, password: `"${secret}` }
    log.info({ a: { b: { c: { d: { e: named } } } } })
    log.info({ body: JSON.stringify({ cvv: '987', client_secret: secret, cardNumber: 4111111111111111 }) })
    for (const text of [
      `Bearer ${secret}`,
      'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJuZXZlci10by1iZS1sb2dnZWQifQ.c2ln',
      'whsec_bmV2ZXItdG8tYmUtbG9nZ2Vk',
      `postgresql://operator:${secret}@db/prod`,
      `grant_type=x&client_secret=${secret}&y`,
    ])
      log.error(new Error(text), text)
    for (const line of lines)
      expect(line).not.toMatch(/never-to-be-logged|"123"|\b987\b|eyJhbG|bmV2ZXI|411111/)
    expect(said()[0].a.b.c.d.e.cvv).toBe('[redacted]')
    expect(said()[5].msg).toBe('postgresql://operator:[redacted]@db/prod')
  })

  it('MUST leave records whole that have no other place', () => {
    const { log, said } = logger()
    forRecords(log).info({ access: { subject: '+96891000002' } }, 'a subscriber was looked at')
    expect(said()[0].access.subject).toBe('+96891000002')
  })

  it('MUST mask a line that holds ids as it masks one that is looked through in any case', () => {
    const part = fc.constantFrom(
      '0190aaaa-0000-7000-8001-000000000001',
      '01900000-0000-7000-8001-0000000003e8',
      '2026-11-26T03:17:35.123Z',
      '2026-11-26',
      'deadbeefdeadbeef',
      '96891000002',
      '+968 9100 0002',
      '4111111111111111',
      '123',
      '/',
      '"',
      '\\',
      ' ',
      'f',
      'x=',
      'token=',
    )
    const text = fc.array(part, { maxLength: 6 }).map(parts => parts.join(''))
    const name = fc.constantFrom('path', 'correlator', 'subscriber', 'payerPhoneNumber', 'msg')
    const members = fc.array(fc.tuple(name, text), { minLength: 1, maxLength: 3 })
    const mask = createMask(false)
    const [suspicious, masked] = [',"last":"Basic abcdef"}', ',"last":"Basic [redacted]"}']
    fc.assert(
      fc.property(members, pairs => {
        const written = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
        const line = `{"level":30,"time":1700000000000,${written.join()}`
        expect(mask(`${line}}`)).toBe(`${mask(line + suspicious).slice(0, -masked.length)}}`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('MUST take a line of a megabyte in a moment', () => {
    const { log, lines } = logger()
    const text = '1-2 "\\x token= eyJ :// '.repeat(45_000)
    const began = performance.now()
    log.info({ text })
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(lines).toHaveLength(1)
  })
})

describe('the level', () => {
  it('MUST change for all loggers made from the log, and be said in a line either way', () => {
    const { log, said } = logger()
    const child = log.child({ part: 'one' })
    child.debug('before')
    setLogLevel(log, 'debug')
    child.debug('now')
    setLogLevel(log, 'warn')
    child.info('no more')
    expect(said().map(({ msg, logLevel, part }) => logLevel ?? `${part} ${msg}`)).toEqual([
      'debug',
      'one now',
      'warn',
    ])
  })
})
