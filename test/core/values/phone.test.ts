/** Phone numbers in every form a client may write them. */
import { describe, expect, it } from 'vitest'
import { checkRecipient, parsePhone, showPhone } from '#core/values/phone.ts'
import { seeded } from './random.ts'
import { refusal } from './refusal.ts'

const MESSAGE = 'a.mobileNumber must be a phone number: digits with country code, such as +96891000001'

describe('parsePhone', () => {
  it.each([
    ['+96891000001', '968', '96891000001', 'international with plus'],
    ['96891000001', '968', '96891000001', 'international without plus'],
    ['91000001', '968', '96891000001', 'national'],
    ['24123456', '968', '96824123456', 'national fixed line'],
    ['96812345', '968', '96896812345', 'national that starts like the country code'],
    ['29051234', '968', '96829051234', 'national before a foreign number of the same digits'],
    ['+29051234', '968', '29051234', 'foreign of 8 digits needs the plus'],
    ['971501234567', '968', '971501234567', 'foreign'],
    ['+14155552671', '968', '14155552671', 'foreign with plus'],
    ['+390612345678', '968', '390612345678', 'a leading zero that belongs to the number'],
    ['501234567', '971', '971501234567', 'national elsewhere'],
    ['9198765432', '91', '919198765432', 'national that starts like its own country code'],
    ['4915112345678', '49', '4915112345678', 'international where national numbers may be as long'],
    ['15112345678', '49', '4915112345678', 'national where lengths vary'],
    ['+4407911123456', '44', '447911123456', 'a trunk prefix that does not belong to the number'],
  ])('reads %s with country code %s as %s: %s', (text, code, digits) =>
    expect(parsePhone('p', text, code)).toBe(digits),
  )

  it.each([
    ['', 'empty'],
    ['+', 'no digits'],
    ['9100000', 'national, a digit short'],
    ['910000011', 'national, a digit long'],
    ['+9689100000', 'a digit short'],
    ['+968910000011', 'a digit long'],
    ['+91000001', 'too short for its country'],
    ['0096891000001', 'international prefix'],
    ['+999123456789', 'no such country'],
    ['968 91000001', 'space'],
    [' 96891000001', 'leading space'],
    ['96891000001\n', 'line end'],
    ['968-91000001', 'dash'],
    ['tel:+96891000001', 'scheme'],
    ['+96891000001;ext=1', 'extension'],
    ['++96891000001', 'two pluses'],
    ['٩١٠٠٠٠٠١', 'other digits'],
    ['9'.repeat(16), 'longer than E.164'],
    ['9'.repeat(100_000), 'very long'],
    ['NaN', 'letters'],
  ])('refuses %.20s: %s', text =>
    expect(refusal(() => parsePhone('a.mobileNumber', text, '968'))).toBe(MESSAGE),
  )

  it('refuses a national number with trunk prefix: its leading zero is no part of the number', () =>
    expect(refusal(() => parsePhone('p', '07911123456', '44'))).toBeDefined())

  it('reads every national number of 8 digits as its three other forms', () => {
    const random = seeded(968)
    for (let count = 0; count < 2000; count += 1) {
      const national = String(10_000_000 + random(90_000_000))
      const digits = `968${national}`
      const forms = [national, digits, showPhone(digits)].map(text => parsePhone('p', text, '968'))
      expect(new Set(forms), national).toEqual(new Set([digits]))
    }
  })
})

describe('showPhone', () => {
  it('puts the plus in front', () => expect(showPhone('96891000001')).toBe('+96891000001'))
})

describe('checkRecipient', () => {
  it.each(['123', '96891000001', '91000001', '90000'])('accepts %s', text =>
    expect(refusal(() => checkRecipient('recipient', text))).toBeUndefined(),
  )
  it.each(['', '12', '968910000011', '+9689100000', '9689100000a', '968 9100', '123\n'])('refuses %j', text =>
    expect(refusal(() => checkRecipient('recipient', text))).toBe(
      'recipient must be 3 to 11 digits with country code and without +',
    ),
  )
})
