/** Sends a part: waits for a slot, claims the part, and records what the response means, however late it comes. */

import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from '#core/async/retry.ts'
import { type ChargeResult, NotSentError } from '#core/charging/charging.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Pdu, statusName } from '../third-party/smpp.ts'
import type { Dispatcher, Slot } from './dispatcher.ts'
import { inTime } from './link.ts'
import { type OutgoingMessage, referenceOf, submitFields } from './message.ts'
import type { CentreWarnings, SmppMetrics } from './metrics.ts'
import type { PartResult, PartState, PartStore } from './parts.ts'
import { messageIdOf } from './receipts.ts'

/** Meaning of a status. `slow`: sent too fast, sent again at a slower pace. `later`: not ready, the settler reschedules it. */
type Verdict = { readonly outcome: 'taken' | 'slow' | 'later' } | Exclude<ChargeResult, { outcome: 'done' }>

const TOO_FAST = ['ESME_RTHROTTLED', 'ESME_RMSGQFUL']

/** Statuses of a fault of the message centre, or of the moment. */
const NOT_NOW = ['ESME_RSYSERR', 'ESME_RX_T_APPN', 'ESME_RINVBNDSTS', 'ESME_RUNKNOWNERR']

/** Statuses of a message that the message centre's rules forbid. */
const AGAINST_RULES = ['ESME_RPROHIBITED', 'ESME_RSERTYPUNAUTH', 'ESME_RSERTYPDENIED', 'ESME_RX_R_APPN']

/** Statuses of a correct message that could not be executed. */
const NOT_CARRIED_OUT = ['ESME_RSUBMITFAIL', 'ESME_RX_P_APPN', 'ESME_RDELIVERYFAILURE', 'ESME_RSERTYPUNAVAIL']

const TAKEN: Verdict = { outcome: 'taken' }

/** Meaning of a response's status for a message (SMPP 3.4, 5.1.3); an unlisted status blames the message. */
export function verdictOf(status: number): Verdict {
  if (status === 0) return TAKEN
  const name = statusName(status)
  const reason = `The message centre refused the message (${name})`
  if (TOO_FAST.includes(name)) return { outcome: 'slow' }
  if (NOT_NOW.includes(name)) return { outcome: 'later' }
  if (AGAINST_RULES.includes(name)) return { outcome: 'declined', reason }
  return { outcome: NOT_CARRIED_OUT.includes(name) ? 'failed' : 'invalid', reason }
}

interface SenderDependencies {
  readonly log: Logger
  readonly metrics: SmppMetrics
  readonly warnings: CentreWarnings
  readonly parts: PartStore
  readonly dispatcher: Dispatcher
  /** Reports the result of the message, if it is known by now. */
  report(transactionId: string): Promise<unknown>
  /** Aborts the recording of outcomes. */
  readonly stopped: AbortSignal
}

/** State of a part after sending; `remote` where another process has it at the moment. */
export type Sent = PartState | 'remote'

/** Waits between attempts to record a response: without the record the part would be sent twice. */
const recordBackoff = createBackoff({ firstMs: 100, longestMs: 5_000, jitter: 0.2 })

const TOO_LATE = 'The expiry time had passed before the message could be sent'
const UNKNOWN =
  'The connection to the message centre broke while the message was sent; whether it was taken is not known'

const stateOf = (verdict: Verdict, hasReceipts: boolean): PartState => {
  if (verdict.outcome === 'taken') return hasReceipts ? 'accepted' : 'delivered'
  if (verdict.outcome === 'slow' || verdict.outcome === 'later') return 'waiting'
  if (verdict.outcome === 'invalid') return 'error'
  return verdict.outcome === 'cancelled' ? 'failed' : verdict.outcome
}

const countAs = ({ outcome }: Verdict) => (['taken', 'slow', 'later'].includes(outcome) ? outcome : 'refused')

export class PartSender {
  readonly #parts: SenderDependencies

  constructor(parts: SenderDependencies) {
    this.#parts = parts
  }

  /**
   * Sends one part until it is accepted or refused. @param wasTried true where it may have been accepted before.
   * @throws NotSentError where it was certainly not accepted; after any other error that is unknown.
   */
  async send(
    message: OutgoingMessage,
    number: number,
    wasTried: boolean,
    signal: AbortSignal,
  ): Promise<Sent> {
    for (;;) {
      if (message.expiresAt <= new Date()) return this.#tooLate(message, number, wasTried)
      const slot = await this.#parts.dispatcher.slot(signal).catch(() => {
        throw new NotSentError('no slot in the window of a bind came free in time')
      })
      const isOurs = await this.#claim(message, number, slot.bind.settings.centre).catch(error => {
        slot.release()
        throw error
      })
      if (!isOurs) {
        slot.release()
        return 'remote'
      }
      const state = await this.#put(message, number, slot)
      if (state !== 'waiting') return state
    }
  }

  #claim({ transactionId, destination, text }: OutgoingMessage, number: number, smsc: string) {
    return this.#parts.parts.claim({
      transactionId,
      number,
      total: text.parts.length,
      recipient: destination.text,
      reference: referenceOf(transactionId, number),
      smsc,
    })
  }

  async #tooLate(message: OutgoingMessage, number: number, wasTried: boolean): Promise<Sent> {
    if (!(await this.#claim(message, number, ''))) return 'remote'
    const { transactionId } = message
    const state = wasTried ? 'error' : 'expired'
    return this.#record({
      transactionId,
      number,
      state,
      reason: wasTried ? UNKNOWN : TOO_LATE,
      messageId: null,
    })
  }

  /** Submits the part to the message centre. */
  async #put(message: OutgoingMessage, number: number, slot: Slot): Promise<PartState> {
    const { bind } = slot
    const fields = submitFields(message, number, bind.settings.receipts, new Date())
    const responded = bind.request('submit_sm', fields).then(pdu => this.#respond(message, number, slot, pdu))
    responded.catch(() => undefined)
    try {
      return await inTime(bind.settings.timeoutMs, responded, 'no response to submit_sm')
    } catch (error) {
      if (error instanceof NotSentError) await this.#recordWaiting(message, number)
      else this.#parts.metrics.submits.inc({ bind: bind.label, outcome: 'unknown' })
      // A late response is recorded like any other.
      void responded.then(() => this.#parts.report(message.transactionId)).catch(() => undefined)
      throw error
    } finally {
      slot.release()
    }
  }

  #recordWaiting({ transactionId }: OutgoingMessage, number: number) {
    return this.#record({ transactionId, number, state: 'waiting', reason: null, messageId: null })
  }

  async #respond(
    message: OutgoingMessage,
    number: number,
    { bind, takenAt }: Slot,
    { status, fields }: Pdu,
  ): Promise<PartState> {
    const verdict = verdictOf(status)
    this.#parts.metrics.submits.inc({ bind: bind.label, outcome: countAs(verdict) })
    if (verdict.outcome === 'taken') bind.pace.taken()
    if (verdict.outcome === 'slow') bind.pace.throttled(takenAt)
    const messageId = (verdict.outcome === 'taken' && messageIdOf(fields['message_id'])) || null
    if (verdict.outcome === 'taken' && messageId === null && bind.settings.receipts)
      this.#parts.warnings.withoutId(bind.label)
    const state = await this.#record({
      transactionId: message.transactionId,
      number,
      state: stateOf(verdict, bind.settings.receipts),
      reason: 'reason' in verdict ? verdict.reason : null,
      messageId,
    })
    if (verdict.outcome === 'later') throw new NotSentError('the message centre is not ready for messages')
    return state
  }

  /** Records an outcome, again and again until that succeeds; a receipt that came before the response is applied with it. */
  async #record(result: PartResult): Promise<PartState> {
    const { parts, log, stopped } = this.#parts
    for (let retry = 0; ; retry++) {
      try {
        await parts.record(result)
        return result.state
      } catch (error) {
        if (stopped.aborted) throw error
        log.warn(
          { err: error, transactionId: result.transactionId },
          'the outcome of a message could not be recorded; trying again',
        )
        await delay(recordBackoff(retry), undefined, { signal: stopped })
      }
    }
  }
}
