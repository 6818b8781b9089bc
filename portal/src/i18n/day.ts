/** Days as people type them: in the order that the page's languages write, day before month, or as `YYYY-MM-DD`. */

const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩'
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g

/** Number of the month, from 1, that a text begins the name of, or that a name begins; 0 for none. */
const monthNamed = (text: string, locale: string): number => {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const typed = text.toLowerCase().replace(/[.,،]/g, '').trim()
  return (
    1 +
    Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month, 1)).toLowerCase()).findIndex(
      name => name.startsWith(typed) || typed.startsWith(name),
    )
  )
}

/**
 * Reads a day in any form that the page shows one in.
 * @param locale of the names of months.
 * @returns `YYYY-MM-DD`; undefined for what is no day of the calendar.
 */
export function parseDay(typed: string, locale: string): string | undefined {
  const text = typed
    .replace(DIRECTION_MARKS, '')
    .replace(/[٠-٩]/g, digit => String(ARABIC_DIGITS.indexOf(digit)))
    .trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const numbers = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(text)
  const named = /^(\d{1,2})\s+(\D+?)\s+(\d{4})$/.exec(text)
  const [year, month, day] = iso
    ? iso.slice(1).map(Number)
    : numbers
      ? numbers.slice(1).map(Number).toReversed()
      : named
        ? [Number(named[3]), monthNamed(named[2]!, locale), Number(named[1])]
        : []
  if (!year || !month || !day) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}
