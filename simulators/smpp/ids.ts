/** Message ids of the simulated message centre, in the forms in which real ones write them in responses and receipts. */
import { newId } from '#core/values/id.ts'
import type { Faults } from './faults.ts'

/** One message's id, as it is written in each place. */
export interface MessageIds {
  readonly response: string
  /** In the text of its receipt. */
  readonly text: string
  /** In the TLV `receipted_message_id`. */
  readonly tlv: string
}

const FORMS: Readonly<Record<string, (number: number) => string>> = {
  decimal: number => String(number),
  hex: number => number.toString(16),
  HEX: number => number.toString(16).toUpperCase(),
  padded: number => String(number).padStart(10, '0'),
  'padded-hex': number => number.toString(16).padStart(10, '0'),
}

const formed = (form: string, number: number): string => {
  const write = FORMS[form]
  if (!write) throw new Error(`there is no form ${form} of ids: ${Object.keys(FORMS).join(', ')}`)
  return write(number)
}

/** With characters that a client reads wrongly where it takes a receipt's text for GSM 03.38; never the same again. */
const nextText = (): MessageIds => {
  const id = `${newId()}_@`
  return { response: id, text: id, tlv: id }
}

/** The next message's id: counted on in the forms that are chosen, or a text where no number is. */
export function nextIds(faults: Faults): MessageIds {
  if (faults.nextId === 0) return nextText()
  const number = faults.nextId++
  const { responseIds, receiptIds, tlvIds } = faults
  return {
    response: formed(responseIds, number),
    text: formed(receiptIds, number),
    tlv: formed(tlvIds || receiptIds, number),
  }
}
