/** Cursors: the texts that clients hold, and what is refused of texts that they were never given. */
import { describe, expect, it } from 'vitest'
import { createCursors, createNumberCursors, fromCursor, toCursor } from '#core/paging/keyset.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64url')

const refusalOf = (read: () => unknown) => {
  try {
    return read()
  } catch (error) {
    const { code, extensions, message } = error as {
      code: string
      message: string
      extensions: { field: string; reason: string }
    }
    return { code, field: extensions.field, reason: extensions.reason, message }
  }
}

describe('cursors of numbers', () => {
  it('keep the text that clients hold', () => {
    expect(toCursor(1n)).toBe('bjE6MQ')
    expect(toCursor(9_223_372_036_854_775_807n)).toBe(encoded('n1:9223372036854775807'))
  })

  it.each([0n, 1n, 42n, 2n ** 63n - 1n])('read back what they were made of: %s', number => {
    expect(fromCursor('after', toCursor(number))).toBe(number)
  })

  it.each([
    ['another order', encoded('t1:7')],
    ['no number', encoded('n1:')],
    ['a negative number', encoded('n1:-1')],
    ['a fraction', encoded('n1:1.5')],
    ['a number beyond bigint', encoded('n1:9223372036854775808')],
    ['more digits than any number has', encoded(`n1:${'9'.repeat(100_000)}`)],
    ['a text that is no cursor', 'not a cursor'],
    ['nothing', ''],
  ])('refuse %s', (_, cursor) => {
    expect(refusalOf(() => fromCursor('before', cursor))).toEqual({
      code: 'INVALID_ARGUMENT',
      field: 'before',
      reason: 'BAD_CURSOR',
      message: 'before must be a cursor from an earlier answer, unchanged',
    })
  })

  it('have a maximum and a sentence of their own where an order has', () => {
    const cursors = createNumberCursors('x1:', 10n ** 18n - 1n, 'must be the cursor of an event, unchanged')
    expect(cursors.from('after', encoded('x1:999999999999999999'))).toBe(999_999_999_999_999_999n)
    expect(refusalOf(() => cursors.from('after', encoded('x1:1000000000000000000')))).toMatchObject({
      message: 'after must be the cursor of an event, unchanged',
    })
  })
})

describe('cursors of texts', () => {
  const cursors = createCursors<string>('p1:', {
    write: id => id,
    read: id => (id.length > 3 ? undefined : id),
  })

  it.each(['a', '', 'é€', ':p1'])('read back what they were made of: %j', key => {
    expect(cursors.to(key)).toBe(encoded(`p1:${key}`))
    expect(cursors.from('after', cursors.to(key))).toBe(key)
  })

  it('refuse what their order cannot read', () => {
    expect(refusalOf(() => cursors.from('after', encoded('p1:long')))).toMatchObject({ reason: 'BAD_CURSOR' })
    expect(refusalOf(() => cursors.from('after', encoded('p2:a')))).toMatchObject({ reason: 'BAD_CURSOR' })
  })
})
