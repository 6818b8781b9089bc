/** Days, months and offsets, above all where a clock changes. */
import { describe, expect, it } from 'vitest'
import * as time from '#core/values/time.ts'
import { seeded } from './random.ts'

const DAY = 86_400_000

describe('formatOffset', () => {
  it.each([
    ['2026-11-20T06:15:00.123Z', 'Asia/Muscat', '2026-11-20T10:15:00.123+04:00'],
    ['2026-12-31T20:00:00.000Z', 'Asia/Muscat', '2027-01-01T00:00:00.000+04:00'],
    ['2026-11-20T06:15:00.000Z', 'UTC', '2026-11-20T06:15:00.000+00:00'],
    ['2026-01-20T06:15:00.000Z', 'Europe/London', '2026-01-20T06:15:00.000+00:00'],
    ['2026-03-29T00:59:59.999Z', 'Europe/London', '2026-03-29T00:59:59.999+00:00'],
    ['2026-03-29T01:00:00.000Z', 'Europe/London', '2026-03-29T02:00:00.000+01:00'],
    ['2026-06-01T00:00:00.000Z', 'Asia/Kolkata', '2026-06-01T05:30:00.000+05:30'],
    ['2026-06-01T00:00:00.000Z', 'Asia/Kathmandu', '2026-06-01T05:45:00.000+05:45'],
    ['2026-06-01T00:00:00.000Z', 'America/St_Johns', '2026-05-31T21:30:00.000-02:30'],
    ['2026-06-01T00:00:00.000Z', 'Pacific/Kiritimati', '2026-06-01T14:00:00.000+14:00'],
    ['2026-06-01T00:00:00.000Z', 'Pacific/Marquesas', '2026-05-31T14:30:00.000-09:30'],
    ['1969-12-31T23:59:59.999Z', 'Asia/Muscat', '1970-01-01T03:59:59.999+04:00'],
  ])('%s in %s is %s', (instant, zone, text) => {
    expect(time.formatOffset(new Date(instant), zone)).toBe(text)
    expect(new Date(text).toISOString()).toBe(instant)
  })

  it('names the same instant in every zone, also around changes of the clock', () => {
    const random = seeded(24)
    for (const zone of [
      'America/Sao_Paulo',
      'Asia/Beirut',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'Asia/Gaza',
    ])
      for (let count = 0; count < 300; count += 1) {
        const instant = Date.UTC(1975, 0, 1) + random(60 * 365) * DAY + random(DAY)
        expect(Date.parse(time.formatOffset(new Date(instant), zone)), `${zone} ${instant}`).toBe(instant)
      }
  })

  it('fails for an unknown zone', () =>
    expect(() => time.formatOffset(new Date(), 'Asia/Nowhere')).toThrow(RangeError))
})

describe('days', () => {
  it.each([
    ['2026-11-20', 'Asia/Muscat', '2026-11-19T20:00:00.000Z', 24, 'a fixed offset'],
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', 24, 'UTC'],
    ['2024-02-29', 'Asia/Muscat', '2024-02-28T20:00:00.000Z', 24, 'a leap day'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', 23, 'an hour skipped'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', 25, 'an hour twice'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 23, 'midnight skipped'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 23, 'midnight skipped'],
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00.000Z', 25, '23:00 twice'],
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z', 24, 'after 23:00 twice'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 25, 'midnight twice: the first'],
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z', 23.5, '23:30 to 00:30 skipped'],
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 24.5, 'half an hour twice'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0, 'the whole day skipped'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 24, 'after it'],
    [
      '9999-12-31',
      'America/New_York',
      '9999-12-31T05:00:00.000Z',
      18.9999997,
      'the last, cut off at its UTC end',
    ],
    ['0001-01-01', 'Etc/GMT-4', '0001-01-01T00:00:00.000Z', 20, 'the first, cut off at its UTC start'],
  ])('%s in %s starts at %s and lasts %d hours: %s', (day, zone, start, hours) => {
    expect(time.startOfDay(day, zone).toISOString()).toBe(start)
    const length = time.startOfNextDay(day, zone).getTime() - time.startOfDay(day, zone).getTime()
    expect(length / 3_600_000).toBeCloseTo(hours, 5)
  })

  it.each([
    'Asia/Muscat',
    'Asia/Beirut',
    'America/Sao_Paulo',
    'Africa/Cairo',
    'America/Asuncion',
    'America/Havana',
  ])('in %s start where the local day changes, all through 50 years', zone => {
    for (let instant = Date.UTC(1980, 0, 1); instant < Date.UTC(2030, 0, 1); instant += DAY) {
      const day = new Date(instant).toISOString().slice(0, 10)
      const start = time.startOfDay(day, zone).getTime()
      const around = [start - 1, start].map(at => time.localDay(new Date(at), zone) >= day)
      if (around[0] || !around[1]) expect.fail(`${day} ${zone}`)
    }
  })
})

describe('localDay and startOfMonth', () => {
  it.each([
    ['2026-11-30T19:59:59.999Z', 'Asia/Muscat', '2026-11-30', '2026-10-31T20:00:00.000Z'],
    ['2026-11-30T20:00:00.000Z', 'Asia/Muscat', '2026-12-01', '2026-11-30T20:00:00.000Z'],
    ['2026-01-01T02:00:00.000Z', 'America/New_York', '2025-12-31', '2025-12-01T05:00:00.000Z'],
    ['2026-03-31T12:00:00.000Z', 'Europe/Berlin', '2026-03-31', '2026-02-28T23:00:00.000Z'],
  ])('%s in %s: day %s, month from %s', (instant, zone, day, month) => {
    expect(time.localDay(new Date(instant), zone)).toBe(day)
    expect(time.startOfMonth(new Date(instant), zone).toISOString()).toBe(month)
  })
})

describe('parseIsoDate', () => {
  it.each(['2026-11-20', '2024-02-29', '0001-01-01', '9999-12-31'])('accepts %s', text =>
    expect(time.parseIsoDate(text)).toBe(text),
  )
  it.each(
    [
      '2026-02-30',
      '2025-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-1-1',
      '20260101',
      '2026-01-01T00:00',
    ].concat([
      '',
      ' 2026-01-01',
      '2026-01-01\n',
      '0000-01-01',
      '+002026-01-01',
      '-2026-01-01',
      '٢٠٢٦-٠١-٠١',
      'today',
    ]),
  )('refuses %j', text => expect(time.parseIsoDate(text)).toBeUndefined())
})

describe('isDateTime', () => {
  it.each([
    '2026-01-31T08:00:00Z',
    '2026-01-31T08:00:00.123456+04:00',
    '2026-01-31t08:00:00z',
    '2016-12-31T23:59:60Z',
    '9999-12-31T23:59:59.999999Z',
    '9999-12-31T23:59:59+04:00',
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00-04:00',
  ])('accepts %j', text => expect(time.isDateTime(text)).toBe(true))

  it.each([
    '2026-01-31 08:00:00Z',
    '2026-01-31T08:00:00',
    '2026-01-31T08:00:00+0400',
    '2026-01-31T08:00:00+04',
    '2026-01-31T08:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:00:00+04:60',
    '2026-02-30T08:00:00Z',
    '2026-01-31',
    '20260131T080000Z',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T22:00:00-04:00',
    '0001-01-01T00:00:00+00:01',
    '0001-01-01T03:59:59+04:00',
    '0000-12-31T23:59:59Z',
  ])('refuses %j', text => expect(time.isDateTime(text)).toBe(false))
})
