/** Matching of receipts to parts, in all the forms in which message centres name them; never to the part of another message. */
import { describe, expect, it } from 'vitest'
import {
  type Candidate,
  LearnedReadings,
  matchOf,
  type Reading,
  readingsOf,
  responseKeys,
} from '#connectors/smpp/match.ts'
import type { Receipt } from '#connectors/smpp/receipts.ts'
import type { IdForm } from '#core/config/smpp.ts'

const RECIPIENT = '96891000001'

let next = 0
const part = (messageId: string | null, fields: Partial<Candidate> = {}): Candidate => ({
  transactionId: `01a201e4-38e5-76b6-8624-dd60c8fd7${(next++ % 0x1000).toString(16).padStart(3, '0')}`,
  number: 1,
  recipient: RECIPIENT,
  reference: 1_000 + next,
  state: 'accepted',
  messageId,
  ...fields,
})
const receipt = (messageId: string, fields: Partial<Receipt> = {}): Receipt => ({
  messageId,
  textId: messageId,
  recipient: RECIPIENT,
  state: 'failed',
  reason: null,
  reference: null,
  concat: null,
  ...fields,
})
const match = (one: Receipt, parts: Candidate[], form: IdForm = 'any', learned?: Reading) =>
  matchOf(one, parts, form, learned)

describe('an id', () => {
  it.each<[string, string, Reading[]]>([
    ['123456789', '123456789', ['text']],
    ['123456789', '75bcd15', ['decimal-hex']],
    ['123456789', '75BCD15', ['decimal-hex']],
    ['123456789', '00000000075BCD15', ['decimal-hex']],
    ['0000000123456789', '75bcd15', ['decimal-hex']],
    ['75bcd15', '123456789', ['hex-decimal']],
    ['075BCD15', '0123456789', ['hex-decimal']],
    ['0000123456', '123456', ['text']],
    ['abCD12', 'ABcd12', ['text']],
    ['18446744073709551615', 'ffffffffffffffff', ['decimal-hex']],
    ['7', '0007', ['text', 'decimal-hex', 'hex-decimal']],
    ['123456789', '123456788', []],
    ['msg-7', '7', []],
  ])(
    'SMPP-100 of a response is that of a receipt as a text or by its value: %s and %s',
    (response, reported, readings) => {
      expect(readingsOf(response, reported)).toEqual(readings)
      // What the database looks for holds whatever is found so.
      const key = response.toLowerCase().replace(/^0+/, '')
      expect(responseKeys(reported).includes(key)).toBe(readings.length > 0)
      const one = part(response)
      expect(match(receipt(reported), [one]).part).toBe(readings.length > 0 ? one : undefined)
    },
  )

  it('SMPP-101 is read in the one form that the settings name', () => {
    const [decimal, hex] = [part('16'), part('10')]
    for (const [form, found] of [
      ['text', hex],
      ['decimal-hex', decimal],
      ['hex-decimal', undefined],
    ] as const)
      expect(match(receipt('10'), [decimal, hex], form).part, form).toBe(found)
  })

  it('SMPP-102 that two parts could have is of neither, until others show how the centre writes its ids', () => {
    const parts = [part('16'), part('10')]
    expect(match(receipt('10'), parts).part).toBeUndefined()
    const learned = new LearnedReadings()
    const { shown } = match(receipt('1a'), [part('26')])
    expect(learned.observe('centre', shown!)).toBe(true)
    expect(match(receipt('10'), parts, 'any', learned.of('centre')).part).toBe(parts[0])
    expect(match(receipt('10'), parts, 'any', 'text').part).toBe(parts[1])
    expect(learned.of('another')).toBeUndefined()
  })

  it('SMPP-103 does not end an open part where it may be the second receipt of one that has its end', () => {
    const parts = [part('16'), part('10', { state: 'delivered' })]
    expect(match(receipt('10'), parts).part).toBeUndefined()
    expect(match(receipt('10'), parts.slice(1)).part).toBe(parts[1])
  })

  it('SMPP-104 that differs from another in case alone is the one that is written so', () => {
    const parts = [part('aB1'), part('Ab1')]
    expect(match(receipt('Ab1'), parts).part).toBe(parts[1])
    expect(match(receipt('AB1'), parts).part).toBeUndefined()
  })

  it('SMPP-105 is the TLV, or where that leads nowhere the one of the text', () => {
    const one = part('123456789')
    for (const [messageId, textId] of [
      ['75bcd15', '123456789'],
      ['123456789', '75bcd15'],
      ['somebody', '123456789'],
    ])
      expect(match(receipt(messageId!, { textId: textId! }), [one]).part).toBe(one)
  })

  it('SMPP-106 of a centre that changed its form is read so after a while', () => {
    const learned = new LearnedReadings()
    for (let time = 0; time < 100; time++) learned.observe('centre', 'text')
    for (let time = 0; time < 8; time++) learned.observe('centre', 'decimal-hex')
    expect(learned.observe('centre', 'decimal-hex')).toBe(true)
    expect(learned.of('centre')).toBe('decimal-hex')
  })
})

describe('a reference', () => {
  it('SMPP-107 comes before the id, whatever the id says', () => {
    const parts = [part('10', { reference: 7 }), part('16', { reference: 8 })]
    expect(match(receipt('10', { reference: 8 }), parts).part).toBe(parts[1])
    expect(match(receipt('zz', { reference: 7 }), parts).part).toBe(parts[0])
    expect(
      match(receipt('', { reference: 7 }), [part(null, { reference: 7, state: 'sending' })]).part,
    ).toBeDefined()
  })

  it('SMPP-108 that two parts have is decided by the id, or not at all', () => {
    const parts = [part('100', { reference: 7 }), part('200', { reference: 7 })]
    expect(match(receipt('c8', { reference: 7 }), parts).part).toBe(parts[1])
    expect(match(receipt('zz', { reference: 7 }), parts).part).toBeUndefined()
  })

  it('SMPP-109 of the second receipt ends no other part', () => {
    const parts = [part('100', { reference: 7, state: 'delivered' }), part('200', { reference: 7 })]
    expect(match(receipt('100', { reference: 7 }), parts).part).toBe(parts[0])
  })

  it('SMPP-110 that is another keeps a part out that would have the id by its value alone', () => {
    const parts = [part('16', { reference: 7 })]
    expect(match(receipt('10', { reference: 9 }), parts).part).toBeUndefined()
    // A centre that gives back what is not ours, and our id to the letter.
    expect(match(receipt('16', { reference: 0 }), parts).part).toBe(parts[0])
  })

  it('SMPP-111 of a long text is known by its header too, where that is given back', () => {
    const parts = [part(null, { state: 'sending', number: 2 }), part(null, { state: 'sending', number: 1 })]
    const concat = `${parts[0]!.transactionId.slice(-2)} 2`
    expect(match(receipt('zz', { concat }), parts).part).toBe(parts[0])
  })
})

describe('a recipient', () => {
  it.each([
    ['96891000001', true],
    ['91000001', true],
    ['091000001', true],
    ['0096891000001', true],
    ['', true],
    ['96891000002', false],
    ['97191000001', false],
    ['0001', false],
  ])('SMPP-112 that differs makes a receipt somebody else’s: %j', (recipient, isOurs) => {
    const one = part('Ab_1')
    expect(match(receipt('Ab_1', { recipient }), [one]).part).toBe(isOurs ? one : undefined)
    expect(match(receipt('x', { recipient, reference: one.reference }), [one]).part).toBe(
      isOurs ? one : undefined,
    )
  })
})
