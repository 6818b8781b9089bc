/** One connection to the simulated message centre: binds, messages and queries, with the faults that are chosen. */
import type { Session } from '#connectors/smpp/session.ts'
import { type Pdu, statusOf } from '#connectors/third-party/smpp.ts'
import { type Book, entryOf } from './book.ts'
import { type Faults, happens } from './faults.ts'
import { nextIds } from './ids.ts'
import { type Receipts, STATES } from './receipts.ts'

export interface Centre {
  readonly book: Book
  readonly faults: Faults
  readonly receipts: Receipts
  /** The connections that are bound, by the account. */
  readonly bound: Map<Session, string>
  /** Messages of the present second, of all connections. */
  readonly rate: { second: number; count: number }
}

const BINDS = ['bind_transceiver', 'bind_transmitter', 'bind_receiver']

const bind = ({ book, faults, receipts, bound }: Centre, session: Session, pdu: Pdu) => {
  if (faults.refuseBind) return void session.refuse(pdu, statusOf(faults.refuseBind))
  book.binds++
  bound.set(session, String(pdu.fields['system_id']))
  session.respond(pdu, { system_id: 'simulator' })
  receipts.flush()
}

const isTooFast = ({ faults, rate }: Centre): boolean => {
  if (faults.perSecond === 0) return false
  const second = Math.floor(Date.now() / 1_000)
  if (rate.second !== second) Object.assign(rate, { second, count: 0 })
  return ++rate.count > faults.perSecond
}

/** Why the message is not taken, as a status; 0 if it is. */
const refusal = (centre: Centre): number => {
  const { book, faults } = centre
  if (isTooFast(centre) || happens(faults, 'throttle')) {
    book.throttledAt.push(Date.now())
    return statusOf('ESME_RTHROTTLED')
  }
  if (happens(faults, 'queueFull')) return statusOf('ESME_RMSGQFUL')
  return happens(faults, 'refuse') ? statusOf(faults.refuseWith) : 0
}

/** Takes a message; returns the response, or undefined where there is none. */
const take = (centre: Centre, session: Session, pdu: Pdu): (() => void) | undefined => {
  const { book, faults, receipts, bound } = centre
  if (happens(faults, 'cutUntaken')) return void session.destroy()
  if (happens(faults, 'hangUntaken')) return undefined
  const status = refusal(centre)
  if (status !== 0) return () => session.refuse(pdu, status)
  const entry = entryOf(pdu.fields, nextIds(faults), bound.get(session)!)
  book.entries.push(entry)
  if (happens(faults, 'cutTaken')) {
    session.destroy()
    receipts.taken(entry)
    return undefined
  }
  if (faults.earlyReceipts) receipts.taken(entry)
  else if (faults.responseMs > 0) setTimeout(() => receipts.taken(entry), faults.responseMs + 1)
  else setImmediate(() => receipts.taken(entry))
  if (happens(faults, 'hangTaken')) return undefined
  const message_id = happens(faults, 'emptyIds') ? '' : entry.messageId
  return () => session.respond(pdu, { message_id })
}

/** Talks to one client. */
export function serveSession(centre: Centre, session: Session): void {
  const { book, faults, receipts, bound } = centre
  let outstanding = 0
  const submit = (pdu: Pdu) => {
    if (!bound.has(session)) return void session.refuse(pdu, statusOf('ESME_RINVBNDSTS'))
    outstanding++
    book.mostOutstanding = Math.max(book.mostOutstanding, outstanding)
    const respond = take(centre, session, pdu)
    const answer = () => {
      outstanding--
      respond?.()
    }
    if (faults.responseMs > 0) setTimeout(answer, faults.responseMs)
    else answer()
  }
  const query = (pdu: Pdu) => {
    if (faults.query === 'silent') return
    if (faults.query === 'none') return void session.refuse(pdu, statusOf('ESME_RINVCMDID'))
    if (!faults.query) return void session.refuse(pdu, statusOf('ESME_RQUERYFAIL'))
    session.respond(pdu, { message_id: pdu.fields['message_id'], message_state: STATES[faults.query] ?? 7 })
  }
  for (const command of BINDS) session.on(command, (pdu: Pdu) => bind(centre, session, pdu))
  session.on('submit_sm', submit)
  session.on('query_sm', query)
  session.on('enquire_link', (pdu: Pdu) => {
    if (!faults.silent) session.respond(pdu)
  })
  session.on('unbind', (pdu: Pdu) => {
    bound.delete(session)
    session.respond(pdu)
  })
  session.on('error', () => session.destroy())
  session.on('close', () => {
    bound.delete(session)
    receipts.ended(session)
  })
}
