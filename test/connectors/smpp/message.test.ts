/** Preparation of messages: addresses, times, priorities, references. */
import { describe, expect, it } from 'vitest'
import {
  type MessageText,
  prepare,
  recipientAddress,
  senderAddress,
  submitFields,
  validityPeriod,
} from '#connectors/smpp/message.ts'
import { newId } from '#core/values/id.ts'

const NOW = new Date('2026-11-22T08:00:00.000Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)
const SECOND = 1_000
const DAY = 86_400 * SECOND

describe('addresses', () => {
  it.each([
    ['MuscatPay', { ton: 5, npi: 0, text: 'MuscatPay' }],
    ['1234', { ton: 3, npi: 0, text: '1234' }],
    ['90123', { ton: 3, npi: 0, text: '90123' }],
    ['123456789012345', { ton: 3, npi: 0, text: '123456789012345' }],
    // In the octets of GSM 03.38.
    ['Café1', { ton: 5, npi: 0, text: 'Caf\u00051' }],
    ['1234567890123456', undefined],
    ['TwelveLetter', undefined],
    ['+9689100001', undefined],
    ['Muscat_Pay', undefined],
    ['Bank😀', undefined],
    ['', undefined],
    ['91000001', { ton: 1, npi: 1, text: '96891000001' }],
    ['96891000001', { ton: 1, npi: 1, text: '96891000001' }],
    ['مسقط', undefined],
    ['a\nb', undefined],
  ])('SMPP-40 a sender is a name, a short code or a number: %j', (sender, address) => {
    expect(senderAddress(sender, '968')).toEqual(address)
  })

  it.each([
    ['96891000001', { ton: 1, npi: 1, text: '96891000001' }],
    ['91000001', { ton: 1, npi: 1, text: '96891000001' }],
    ['123', { ton: 0, npi: 1, text: '123' }],
  ])('SMPP-41 a recipient is a number or a short code: %j', (recipient, address) => {
    expect(recipientAddress(recipient, '968')).toEqual(address)
  })
})

describe('validityPeriod', () => {
  it.each([
    [0, '000000000001000R'],
    [-DAY, '000000000001000R'],
    [1_999, '000000000001000R'],
    [61 * SECOND, '000000000101000R'],
    [DAY, '000001000000000R'],
    [30 * DAY + 3_661 * SECOND, '000030010101000R'],
    [31 * DAY + 300, '261223080000300+'],
  ])('SMPP-42 says how long, and for long ones until when: %d ms', (ms, text) => {
    expect(validityPeriod(after(ms), NOW)).toBe(text)
  })
})

const fieldsOf = (body: Partial<MessageText>, transactionId = newId(), part = 1) => {
  const whole = { sender: 'MuscatPay', recipient: '96891000001', smsText: 'Hello', ...body }
  const message = prepare({ transactionId, body: whole, expiresAt: after(DAY) }, '968')!
  return submitFields(message, part, true, NOW)
}

describe('submitFields', () => {
  it.each([
    [1, 3],
    [2, 2],
    [4, 2],
    [5, 1],
    [7, 1],
    [8, 0],
    [10, 0],
    [undefined, 0],
  ])('SMPP-43 has the priority in the four steps of GSM: %s', (priority, flag) => {
    expect(fieldsOf({ priority }).priority_flag).toBe(flag)
  })

  it('SMPP-44 marks parts as such, with the same references each time they are sent', () => {
    const id = newId()
    const smsText = 'a'.repeat(200)
    const [first, second] = [fieldsOf({ smsText }, id, 1), fieldsOf({ smsText }, id, 2)]
    expect([first.esm_class, second.esm_class, fieldsOf({}).esm_class]).toEqual([0x40, 0x40, 0])
    expect(fieldsOf({ smsText }, id, 1)).toEqual(first)
    expect(first.user_message_reference).not.toBe(second.user_message_reference)
  })
})
