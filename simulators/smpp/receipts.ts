/** Delivery receipts of the simulated message centre: kept until the other side has answered, and sent again until then. */
import type { Session } from '#connectors/smpp/session.ts'
import type { PduFields } from '#connectors/third-party/smpp.ts'
import type { Book, Entry } from './book.ts'
import { type Faults, happens } from './faults.ts'

const DELIVERY_RECEIPT = 0x04
const INTERMEDIATE = 0x20

/** `message_state` by the word of the text (SMPP 3.4, 5.2.28). */
export const STATES: Readonly<Record<string, number>> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
}

const RETRY_MS = 200

const textOf = ({ textId, text }: Entry, word: string) =>
  `id:${textId} sub:001 dlvrd:001 submit date:2601010000 done date:2601010001 stat:${word} err:000 text:${text.slice(0, 20).replace(/[^\x20-\x7e]/g, '?')}`

const referencesOf = ({ reference, concat }: Entry, { echoReference, echoConcat }: Faults): PduFields => ({
  ...(echoReference && reference !== null && { user_message_reference: reference }),
  ...(echoConcat &&
    concat && {
      sar_msg_ref_num: concat.reference,
      sar_total_segments: concat.total,
      sar_segment_seqnum: concat.number,
    }),
})

/** Makes the fields of a notification about a message: its receipt, or an intermediate one. */
const fieldsOf = (entry: Entry, faults: Faults, type: number, word: string): PduFields => ({
  source_addr_ton: entry.destinationTon,
  source_addr_npi: 1,
  source_addr: faults.receiptTo || entry.destination,
  dest_addr_ton: entry.sourceTon,
  destination_addr: entry.source,
  esm_class: type,
  data_coding: 0,
  short_message: faults.receiptForm === 'tlv' ? Buffer.alloc(0) : Buffer.from(textOf(entry, word), 'latin1'),
  ...(faults.receiptForm !== 'text' && {
    receipted_message_id: entry.tlvId,
    message_state: STATES[word] ?? 7,
  }),
  ...referencesOf(entry, faults),
})

interface Due {
  readonly entry: Entry
  readonly fields: PduFields
  /** Connection on which it was sent, while it is not answered yet. */
  sentOn?: Session
}

export interface Receipts {
  /** Records an accepted message: its receipt is sent when its time has come, if the message requests one. */
  taken(entry: Entry): void
  /** Sends what is due. */
  flush(): void
  /** Makes receipts due again that were on their way over a connection that has ended. */
  ended(session: Session): void
  stop(): void
}

/**
 * Makes the receipts of a message centre.
 * @param bound gives the connections over which receipts may be sent: every one of the same account.
 */
export function createReceipts(book: Book, faults: Faults, bound: (systemId: string) => Session[]): Receipts {
  const due = new Set<Due>()
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }
  const answered = (one: Due, status: number) => {
    one.sentOn = undefined
    if (status === 0) {
      due.delete(one)
      one.entry.acknowledged++
      return
    }
    book.refusedReceipts++
    later(RETRY_MS, flush)
  }
  const sendOne = (one: Due) => {
    const [session] = bound(one.entry.systemId)
    if (!session || one.sentOn) return
    one.sentOn = session
    session.request('deliver_sm', one.fields, ({ status }) => answered(one, status))
  }
  function flush() {
    for (const one of due) sendOne(one)
  }
  return {
    taken(entry) {
      if (entry.registered === 0 || happens(faults, 'loseReceipts')) return
      const add = () => {
        if (faults.intermediate)
          due.add({ entry, fields: fieldsOf(entry, faults, INTERMEDIATE, faults.intermediate) })
        const fields = fieldsOf(entry, faults, DELIVERY_RECEIPT, faults.receipt)
        for (let copy = 0; copy <= faults.doubleReceipts; copy++) due.add({ entry, fields })
        flush()
      }
      if (faults.receiptMs > 0) later(faults.receiptMs, add)
      else add()
    },
    flush,
    ended(session) {
      for (const one of due) if (one.sentOn === session) one.sentOn = undefined
      flush()
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
