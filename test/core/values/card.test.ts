/** Card data: nothing secret is left over, and no wrong number passes. */
import { describe, expect, it } from 'vitest'
import { checkCard, checkExpiry, maskCard, withoutSecrets } from '#core/values/card.ts'
import { seeded } from './random.ts'
import { refusal } from './refusal.ts'

const strict = { dummyAllowed: false }
const dummy = { dummyAllowed: true }

describe('maskCard', () => {
  it.each([
    ['4111111111111111', '411111******1111', 'Visa'],
    ['378282246310005', '378282*****0005', 'American Express'],
    ['4222222222222', '422222***2222', '13 digits'],
    ['6304000000000000000', '630400*********0000', '19 digits'],
    ['4111 1111-1111 1111', '411111******1111', 'separators'],
    ['411111111111', '********1111', '12 digits'],
    ['12345', '*2345', '5 digits'],
    ['1234', '****', '4 digits'],
    ['1', '*', '1 digit'],
    ['', '', 'nothing'],
    ['411111111111*', '*********111*', '12 digits made to look like 13'],
    ['411111******1111', '411111******1111', 'masked already'],
    ['XXXXXXXXXXXX1234', '************1234', 'masked by the client'],
    ['DUMMY-CARD', '*********', 'dummy'],
    ['4111.1111.1111.1111', '*'.repeat(19), 'other separators'],
    ['4111111111111111 cvv 123', '*'.repeat(22), 'more than a number'],
    ['٤١١١١١١١١١١١١١١١', '*'.repeat(16), 'other digits'],
  ])('%s becomes %s: %s', (number, masked) => expect(maskCard(number)).toBe(masked))

  it('shows at most 10 digits of any text, 4 of fewer than 13, and masking twice changes nothing', () => {
    const random = seeded(4)
    for (let count = 0; count < 5000; count += 1) {
      const text = Array.from(
        { length: random(30) },
        () => '012345678901234567890123456789 -x.'[random(34)],
      ).join('')
      const masked = maskCard(text)
      const [had, shown] = [text, masked].map(some => some.replace(/\D/g, '').length) as [number, number]
      expect(shown, text).toBeLessThanOrEqual(had < 13 ? 4 : 10)
      expect(maskCard(masked), text).toBe(masked)
    }
  })
})

describe('checkCard', () => {
  it.each(['4111111111111111', '378282246310005', '5555555555554444', '6304000000000000', '4222222222222'])(
    'accepts %s',
    number => expect(refusal(() => checkCard('c', number, strict))).toBeUndefined(),
  )

  it.each([
    ['4111111111111112', 'c must be a card number that passes the Luhn check'],
    ['1411111111111111', 'c must be a card number that passes the Luhn check'],
    ['4111 1111 1111 1111', 'c must be 12 to 19 digits without spaces'],
    ['00000000000', 'c must be 12 to 19 digits without spaces'],
    ['00000000000000000000', 'c must be 12 to 19 digits without spaces'],
    ['', 'c must be 12 to 19 digits without spaces'],
    ['DUMMY', 'c must be 12 to 19 digits without spaces'],
  ])('refuses %j, but not where dummy values are agreed', (number, message) => {
    expect(refusal(() => checkCard('c', number, strict))).toBe(message)
    expect(refusal(() => checkCard('c', number, dummy))).toBeUndefined()
  })

  it('finds every single wrong digit', () => {
    for (let place = 0; place < 16; place += 1) {
      const number = [...'4111111111111111']
      number[place] = String((Number(number[place]) + 1 + place) % 10 || 9)
      const wrong = number.join('')
      if (wrong !== '4111111111111111')
        expect(
          refusal(() => checkCard('c', wrong, strict)),
          wrong,
        ).toBeDefined()
    }
  })
})

describe('checkExpiry', () => {
  it.each([
    [1, 2030],
    [12, 30],
    [6, 2001],
    [undefined, 2030],
    [3, null],
    [1, 0],
  ])('accepts %s/%s', (month, year) =>
    expect(refusal(() => checkExpiry('d', month, year, strict))).toBeUndefined(),
  )
  it.each([
    [0, 2030, 'd.expiryMonth must be from 1 to 12'],
    [13, 2030, 'd.expiryMonth must be from 1 to 12'],
    [1.5, 2030, 'd.expiryMonth must be from 1 to 12'],
    [1, -1, 'd.expiryYear must be a year of two or four digits'],
    [1, 203, 'd.expiryYear must be a year of two or four digits'],
    [1, 20300, 'd.expiryYear must be a year of two or four digits'],
  ])('refuses %s/%s, but not where dummy values are agreed', (month, year, message) => {
    expect(refusal(() => checkExpiry('d', month, year, strict))).toBe(message)
    expect(refusal(() => checkExpiry('d', month, year, dummy))).toBeUndefined()
  })
})

describe('withoutSecrets', () => {
  it('drops the cvv, masks the number and leaves the rest and the argument alone', () => {
    const details = { cardNumber: '4111111111111111', cvv: '123', cardHolderName: 'A B' }
    expect(withoutSecrets(details)).toStrictEqual({ cardNumber: '411111******1111', cardHolderName: 'A B' })
    expect(details).toStrictEqual({ cardNumber: '4111111111111111', cvv: '123', cardHolderName: 'A B' })
  })
  it('adds nothing where there is no number (a recharge)', () =>
    expect(
      withoutSecrets({ authorizationCode: 'A1', cvv: '1' } as {
        authorizationCode: string
        cvv?: string
        cardNumber?: string
      }),
    ).toStrictEqual({ authorizationCode: 'A1' }))
})
