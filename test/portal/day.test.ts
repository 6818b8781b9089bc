/** Days as people type them into the pages. */
import { expect, it } from 'vitest'
import { parseDay } from '#portal/i18n/day.ts'

it.each([
  ['2026-11-01', 'en-GB', '2026-11-01'],
  ['1/11/2026', 'en-GB', '2026-11-01'],
  ['01.11.2026', 'en-GB', '2026-11-01'],
  ['1 Nov 2026', 'en-GB', '2026-11-01'],
  [' 1 november 2026', 'en-GB', '2026-11-01'],
  ['30 Sept 2026', 'en-GB', '2026-09-30'],
  ['١ نوفمبر ٢٠٢٦', 'ar-OM', '2026-11-01'],
  ['٢٨‏/٢‏/٢٠٢٦', 'ar-OM', '2026-02-28'],
  ['31/2/2026', 'en-GB', undefined],
  ['11/13/2026', 'en-GB', undefined],
  ['tomorrow', 'en-GB', undefined],
  ['1 Foo 2026', 'en-GB', undefined],
])('PORTAL-DAY-01 MUST read %s in %s', (typed, locale, day) => {
  expect(parseDay(typed, locale)).toBe(day)
})

it.each(['en-GB', 'ar-OM'])('PORTAL-DAY-02 MUST read each day as %s writes it', locale => {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  for (let month = 1; month <= 12; month++) {
    const day = `2026-${String(month).padStart(2, '0')}-17`
    expect(parseDay(format.format(new Date(day)), locale)).toBe(day)
  }
})
