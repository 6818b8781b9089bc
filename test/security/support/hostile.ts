/** Values that no field expects: absent, of other kinds, empty, long, out of range, with characters that have a meaning in other languages. */
import type { Draw } from './draw.ts'

export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066\u200f',
  '\ufeff',
  '\r\nx-injected: 1',
  "'; DROP TABLE events.event; --",
  '%27%20OR%201=1',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '\\',
  '"',
  '%',
  '_',
  '*',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '1e999',
  '٤٢',
  '😀'.repeat(20),
  'x'.repeat(257),
  'x'.repeat(5_000),
  ' '.repeat(5_000),
  '0'.repeat(5_000),
]

/** Instants that a database or a clock cannot hold, and some that only just can. */
export const DATES: readonly string[] = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
  '9999-12-31T23:59:59.999-23:59',
  '1900-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01',
  '2026-13-01',
  '10000-01-01',
  '294277-01-01',
]

export const NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  0.001,
  0.0001,
  1e-300,
  5e-324,
  1e15,
  1e16,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e21,
  1e131,
  1e300,
  1.7976931348623157e308,
  -1e308,
  123456789012.345,
]

const nested = (depth: number) => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

const OTHERS: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => [null],
  () => nested(60),
  () => nested(800),
  () => JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}'),
  () => Array.from({ length: 2_000 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, index])),
]

/** A text. */
export const hostileText = (draw: Draw): string =>
  draw.chance(30) ? draw.text() : draw.pick(draw.chance(30) ? DATES : TEXTS)

/** Any JSON value. */
export const hostileValue = (draw: Draw): unknown => {
  const kind = draw.below(10)
  if (kind < 5) return hostileText(draw)
  return kind < 8 ? draw.pick(NUMBERS) : draw.pick(OTHERS)()
}
