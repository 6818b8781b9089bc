/** JSON values: what counts as an object, and the paths of texts. */
import { describe, expect, it } from 'vitest'
import { isObject, sizeOfResult, textsIn } from '#core/values/json.ts'

describe('isObject', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('accepts %j', value => {
    expect(isObject(value)).toBe(true)
  })

  it.each([[null], [undefined], [[]], ['text'], [1], [true]])('refuses %j', value => {
    expect(isObject(value)).toBe(false)
  })
})

describe('textsIn', () => {
  it('gives each text with the path that an engineer would write', () => {
    const body = { name: 'a', items: [{ note: 'b' }, 'c'], amount: 1, none: null }
    expect([...textsIn(body)]).toEqual([
      ['name', 'a'],
      ['items[0].note', 'b'],
      ['items[1]', 'c'],
    ])
    expect([...textsIn(body, 'payment')][1]).toEqual(['payment.items[0].note', 'b'])
  })
})

describe('sizeOfResult', () => {
  it('grows with what is in a value', () => {
    expect(sizeOfResult('ab')).toBeGreaterThan(sizeOfResult('a'))
    expect(sizeOfResult([{ a: 'b' }, null])).toBeGreaterThan(sizeOfResult([{ a: 'b' }]))
  })
})
