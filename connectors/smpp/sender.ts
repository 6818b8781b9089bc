/** Sends a part: waits for a place, claims the part, and notes what the response says, however late it is. */

import { setTimeout as delay } from 'node:timers/promises'
import { createBackoff } from '#core/async/retry.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { Logger } from '#core/observability/log.ts'
import type { Pdu } from '../third-party/smpp.ts'
import type { Complaints } from './complaints.ts'
import type { Dispatcher, Place } from './dispatcher.ts'
import { type Verdict, verdictOf } from './errors.ts'
import { inTime } from './link.ts'
import type { SmppMetrics } from './metrics.ts'
import type { PartState } from './outcome.ts'
import type { PartResult, Parts } from './parts.ts'
import { idOf } from './receipts.ts'
import { type OutgoingMessage, referenceOf, submitFields } from './submit.ts'

export interface SenderParts {
  readonly log: Logger
  readonly metrics: SmppMetrics
  readonly complaints: Complaints
  readonly parts: Parts
  readonly dispatcher: Dispatcher
  /** Concludes the message where its result is known by now. */
  tell(transactionId: string): Promise<unknown>
  /** Noting is given up once it is aborted. */
  readonly stopped: AbortSignal
}

/** What became of a part: its state, or that it is somebody else's at the moment. */
export type Sent = PartState | 'elsewhere'

/** A response that cannot be noted is held until it can: without it the part would be sent twice. */
const noteBackoff = createBackoff({ firstMs: 100, longestMs: 5_000, jitter: 0.2 })

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
  readonly #parts: SenderParts

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /**
   * Sends one part until it is taken or refused. @param wasTried whether it may have been taken before.
   * @throws NotSentError where it is certain that it was not taken; anything else leaves that unknown.
   */
  async send(
    message: OutgoingMessage,
    number: number,
    wasTried: boolean,
    signal: AbortSignal,
  ): Promise<Sent> {
    for (;;) {
      if (message.expiresAt <= new Date()) return this.#tooLate(message, number, wasTried)
      const place = await this.#parts.dispatcher.place(signal).catch(() => {
        throw new NotSentError('no place in the window of a bind came free in time')
      })
      const isOurs = await this.#claim(message, number, place.bind.settings.centre).catch(error => {
        place.release()
        throw error
      })
      if (!isOurs) {
        place.release()
        return 'elsewhere'
      }
      const state = await this.#put(message, number, place)
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
    if (!(await this.#claim(message, number, ''))) return 'elsewhere'
    const { transactionId } = message
    const state = wasTried ? 'error' : 'expired'
    return this.#note({
      transactionId,
      number,
      state,
      reason: wasTried ? UNKNOWN : TOO_LATE,
      messageId: null,
    })
  }

  /** Puts the part to the message centre. */
  async #put(message: OutgoingMessage, number: number, place: Place): Promise<PartState> {
    const { bind } = place
    const fields = submitFields(message, number, bind.settings.receipts, new Date())
    const responded = bind
      .request('submit_sm', fields)
      .then(pdu => this.#respond(message, number, place, pdu))
    responded.catch(() => undefined)
    try {
      return await inTime(bind.settings.timeoutMs, responded, 'no response to submit_sm')
    } catch (error) {
      if (error instanceof NotSentError) await this.#noteWaiting(message, number)
      else this.#parts.metrics.submits.inc({ bind: bind.label, outcome: 'unknown' })
      // One that comes after all is noted as it would have been.
      void responded.then(() => this.#parts.tell(message.transactionId)).catch(() => undefined)
      throw error
    } finally {
      place.release()
    }
  }

  #noteWaiting({ transactionId }: OutgoingMessage, number: number) {
    return this.#note({ transactionId, number, state: 'waiting', reason: null, messageId: null })
  }

  async #respond(
    message: OutgoingMessage,
    number: number,
    { bind, takenAt }: Place,
    { status, fields }: Pdu,
  ): Promise<PartState> {
    const verdict = verdictOf(status)
    this.#parts.metrics.submits.inc({ bind: bind.label, outcome: countAs(verdict) })
    if (verdict.outcome === 'taken') bind.pace.taken()
    if (verdict.outcome === 'slow') bind.pace.throttled(takenAt)
    const messageId = (verdict.outcome === 'taken' && idOf(fields['message_id'])) || null
    if (verdict.outcome === 'taken' && messageId === null && bind.settings.receipts)
      this.#parts.complaints.withoutId(bind.label)
    const state = await this.#note({
      transactionId: message.transactionId,
      number,
      state: stateOf(verdict, bind.settings.receipts),
      reason: 'reason' in verdict ? verdict.reason : null,
      messageId,
    })
    if (verdict.outcome === 'later') throw new NotSentError('the message centre is not ready for messages')
    return state
  }

  /** Notes it whatever it takes; a receipt that came before the response is applied with it. */
  async #note(result: PartResult): Promise<PartState> {
    const { parts, log, stopped } = this.#parts
    for (let retry = 0; ; retry++) {
      try {
        await parts.note(result)
        return result.state
      } catch (error) {
        if (stopped.aborted) throw error
        log.warn(
          { err: error, transactionId: result.transactionId },
          'what became of a message could not be noted',
        )
        await delay(noteBackoff(retry), undefined, { signal: stopped })
      }
    }
  }
}
