/** Card numbers within a text, and numbers that only look similar. */
import { expect, it } from 'vitest'
import { holdsCardNumber } from '#core/values/card.ts'

const CARDS = [
  '4111111111111111',
  'Visa 4111 1111 1111 1111.',
  'ref-4111-1111-1111-1111',
  '378282246310005',
  '3782 822463 10005',
  '6011111111111117',
  '3530111333300000',
  '30569309025904',
  '2223003122003222',
  'item 12 4111 1111 1111 1111 99',
  'x4222222222222y',
  '4718d256-4c00-4186-8636-79042a19483c 4111 1111 1111 1111',
  '4718d256-4c00-4186-8636-79042a19483',
]

const NONE = [
  '',
  '4111111111111112',
  '1111111111111111',
  '96891000001',
  '41111111111111110000000',
  '4111  1111  1111  1111',
  '4111 1111 1111',
  '2026-11-20 10:15:00 - 2026-11-21',
  '٤١١١١١١١١١١١١١١١',
  '4718d256-4c00-4186-8636-79042a19483c',
  'order 4718D256-4C00-4186-8636-79042A19483C, the second',
]

it.each(CARDS)('CARDTEXT-10 finds the card number in %j', text => expect(holdsCardNumber(text)).toBe(true))
it.each(NONE)('CARDTEXT-11 finds none in %j', text => expect(holdsCardNumber(text)).toBe(false))
