/** Delivery receipts as they are met: by text, by TLV, by both, and what only looks like one. */
import { describe, expect, it } from 'vitest'
import { messageIdOf, readDelivered } from '#connectors/smpp/receipts.ts'
import { decodePdu, encodePdu, type PduFields } from '#connectors/third-party/smpp.ts'

/** Fields as they come over the wire. */
const arrived = (fields: PduFields) =>
  decodePdu(encodePdu('deliver_sm', 1, { source_addr: '96891000001', data_coding: 0, ...fields })).fields

const text = (words: string) => Buffer.from(words, 'latin1')
const TEXT = (stat: string, err = '000') =>
  text(
    `id:Ab_1@2 sub:001 dlvrd:001 submit date:2611220800 done date:2611220801 stat:${stat} err:${err} text:Hello`,
  )

const stateOf = (fields: PduFields) => {
  const delivered = readDelivered(fields)
  return typeof delivered === 'object' ? delivered.receipt.state : delivered
}

describe('readDelivered', () => {
  it('SMPP-50 reads the text, with ids that GSM 03.38 would have spoiled', () => {
    expect(readDelivered(arrived({ esm_class: 4, short_message: TEXT('DELIVRD') }))).toEqual({
      receipt: {
        messageId: 'Ab_1@2',
        textId: 'Ab_1@2',
        recipient: '96891000001',
        state: 'delivered',
        reason: null,
        reference: null,
        concat: null,
      },
    })
  })

  it.each([
    ['DELIVRD', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'failed'],
    ['UNDELIV', 'failed'],
    ['REJECTD', 'error'],
    ['UNKNOWN', 'error'],
    ['NEWWORD', 'error'],
    ['DELIVERED', 'delivered'],
    ['ACCEPTD', 'underWay'],
    ['ACCEPTED', 'underWay'],
    ['ENROUTE', 'underWay'],
  ])('SMPP-51 knows what became of it: %s', (word, state) => {
    expect(stateOf(arrived({ esm_class: 4, short_message: TEXT(word) }))).toBe(state)
    expect(stateOf(arrived({ esm_class: 4, short_message: TEXT(word.toLowerCase()) }))).toBe(state)
  })

  it.each([
    [2, 'delivered'],
    [3, 'expired'],
    [4, 'failed'],
    [5, 'failed'],
    [7, 'error'],
    [8, 'error'],
    [1, 'underWay'],
    [6, 'underWay'],
  ])('SMPP-52 reads TLVs where there is no text: %d', (message_state, state) => {
    const fields = { esm_class: 4, receipted_message_id: 'Ab_1@2', message_state, user_message_reference: 77 }
    expect(stateOf(arrived(fields))).toBe(state)
    if (state === 'delivered')
      expect(readDelivered(arrived(fields))).toMatchObject({
        receipt: { messageId: 'Ab_1@2', reference: 77 },
      })
  })

  it('SMPP-53 tells the error of the network with the reason', () => {
    const delivered = readDelivered(arrived({ esm_class: 4, short_message: TEXT('UNDELIV', '027') }))
    expect(delivered).toMatchObject({ receipt: { reason: 'The message cannot be delivered (error 027)' } })
  })

  it('SMPP-54 reads receipts that do not say that they are some', () => {
    expect(stateOf(arrived({ esm_class: 0, short_message: TEXT('DELIVRD') }))).toBe('delivered')
    expect(stateOf(arrived({ esm_class: 0, receipted_message_id: '1', message_state: 2 }))).toBe('delivered')
  })

  it('SMPP-55 ends an id where a zero was left out', () => {
    const pdu = arrived({ esm_class: 4, receipted_message_id: 'Ab_1\u0004\u0027', message_state: 2 })
    expect(readDelivered(pdu)).toMatchObject({ receipt: { messageId: 'Ab_1' } })
  })

  it('SMPP-57 keeps nothing in an id that no database could', () => {
    const words = Buffer.concat([text('id:Ab'), Buffer.from([0]), text(' sub:001 stat:DELIVRD')])
    expect(readDelivered(arrived({ esm_class: 4, short_message: words }))).toMatchObject({
      receipt: { messageId: 'Ab' },
    })
    expect(messageIdOf('Ab\u0000cd')).toBe('Ab')
  })

  it.each(['ENROUTE', 'ACCEPTD', 'UNDELIV', 'UNKNOWN', 'DELIVRD', 'RETRYING'])(
    'SMPP-58 takes no intermediate notification for an end, whatever it says: %s',
    word => {
      expect(stateOf(arrived({ esm_class: 0x20, short_message: TEXT(word) }))).toBe('underWay')
      expect(stateOf(arrived({ esm_class: 0x20, receipted_message_id: '1', message_state: 5 }))).toBe(
        'underWay',
      )
    },
  )

  it('SMPP-59 reads both ids where text and TLV differ, references, and the recipient where it stands', () => {
    const fields = {
      esm_class: 4,
      receipted_message_id: '75bcd15',
      short_message: text('id:123456789 stat:DELIVRD'),
      sar_msg_ref_num: 0x1ab,
      sar_segment_seqnum: 2,
    }
    expect(readDelivered(arrived(fields))).toMatchObject({
      receipt: { messageId: '75bcd15', textId: '123456789', concat: 'ab 2', recipient: '96891000001' },
    })
    const asSent = { ...fields, source_addr: 'MuscatPay', destination_addr: '+96891000002' }
    expect(readDelivered(arrived(asSent))).toMatchObject({ receipt: { recipient: '96891000002' } })
    const named = { esm_class: 4, message_state: 2, user_message_reference: 77 }
    expect(readDelivered(arrived(named))).toMatchObject({ receipt: { messageId: '', reference: 77 } })
  })

  it('SMPP-56 takes nothing else for a receipt', () => {
    expect(readDelivered(arrived({ short_message: text('id: what is it?') }))).toBe('message')
    expect(readDelivered(arrived({ esm_class: 4, short_message: text('stat:DELIVRD') }))).toBe('unreadable')
    expect(readDelivered(arrived({ esm_class: 4, short_message: text('id:1') }))).toBe('unreadable')
  })
})
