/**
 * SMS over SMPP 3.4, behind the port to the charging system: a message is `done` once the receipts of all of its parts
 * say so. The behaviour at each fault is described in docs/connectors.md, "SMS over SMPP".
 */

import type { Registry } from 'prom-client'
import type { Watchdog } from '#core/async/watchdog.ts'
import {
  type ChargeListener,
  type ChargeOrder,
  type ChargeProgress,
  type ChargingConnector,
  NotSentError,
} from '#core/charging/charging.ts'
import type { SmppSettings } from '#core/config/smpp.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import type { Db } from '#core/data/db.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Bind, keepBind } from './bind.ts'
import { createDispatcher } from './dispatcher.ts'
import { createInquiry } from './inquiry.ts'
import { type MessageText, type OutgoingMessage, prepare } from './message.ts'
import { CentreWarnings, createSmppMetrics } from './metrics.ts'
import { createPartStore, type PartKey, type PartRow, resultOf, toSend } from './parts.ts'
import { createReceiptStore, type ReceiptStore } from './receipt-store.ts'
import { createReceiptHandler } from './receipts.ts'
import { PartSender, type Sent } from './sender.ts'

interface Row {
  readonly id: string
  readonly body: MessageText
}

/** Makes the look-up of a message's text and addresses by its transaction's id; undefined where there is none. */
const messageLookup = (db: Db): ((id: string) => Promise<MessageText | undefined>) =>
  batchedLookup(async ids => {
    const rows = await db.$queryRaw<Row[]>`
      SELECT id, body FROM messaging.message WHERE id = ANY (${ids}::uuid[])`
    const bodies = new Map(rows.map(({ id, body }) => [id, body]))
    return ids.map(id => bodies.get(id))
  })

interface SmppDependencies {
  readonly settings: SmppSettings
  readonly countryCode: string
  readonly db: Db
  readonly log: Logger
  readonly registry: Registry
  readonly watchdog: Watchdog
}

/** Longest wait of a message for a slot, in milliseconds; then it is rescheduled. */
const SLOT_WAIT_MS = 20_000

const REFUSED: readonly Sent[] = ['expired', 'failed', 'declined', 'error']

const NO_SENDER = 'The sender has characters that an SMPP address cannot hold'

const downs = (binds: readonly Bind[]): string | undefined =>
  binds.every(({ down }) => down !== undefined)
    ? `no bind to a message centre is up (${binds.map(({ label, down }) => `${label}: ${down}`).join('; ')})`
    : undefined

const held = (reason: string): ChargeProgress => ({ outcome: 'pending', reason })

/** Connector with its binds, which connect when it is started. */
class SmppConnector implements ChargingConnector {
  readonly embedded = false
  readonly name = 'smpp'
  readonly parallel: number
  readonly deadlineMs: number
  readonly inquire: NonNullable<ChargingConnector['inquire']>
  readonly #smpp: SmppDependencies
  readonly #receipts: ReceiptStore
  readonly #parts
  readonly #warnings: CentreWarnings
  readonly #find
  readonly #metrics
  readonly #sender: PartSender
  readonly #stopped = new AbortController()
  readonly #dispatcher = createDispatcher(() => this.#binds)
  /** Messages that this process is sending, by transaction; a second call for one joins the first. */
  readonly #inFlight = new Map<string, Promise<ChargeProgress>>()
  #binds: Bind[] = []
  #listener: ChargeListener = async () => undefined

  constructor(smpp: SmppDependencies) {
    const { settings, db, log, registry, watchdog } = smpp
    const { binds, resendMs, marginMs } = settings
    this.#smpp = smpp
    this.parallel = binds.reduce((sum, { window }) => sum + window, 0)
    this.deadlineMs = SLOT_WAIT_MS + 2 * Math.max(...binds.map(({ timeoutMs }) => timeoutMs))
    this.#receipts = createReceiptStore({
      db,
      watchdog,
      formOf: smsc => binds.find(({ centre }) => centre === smsc)?.ids ?? 'any',
      onApplied: ids => this.#reportAll(ids),
    })
    this.#parts = createPartStore({
      db,
      watchdog,
      staleMs: resendMs,
      applyKept: parts => this.#applyKept(parts),
    })
    this.#warnings = new CentreWarnings({ db, log, registry })
    this.#find = messageLookup(db)
    this.#metrics = createSmppMetrics(registry, () => this.#binds)
    const report = (id: string) => this.#report(id)
    this.#sender = new PartSender({
      log,
      metrics: this.#metrics,
      warnings: this.#warnings,
      parts: this.#parts,
      dispatcher: this.#dispatcher,
      report,
      stopped: this.#stopped.signal,
    })
    this.inquire = createInquiry({
      receipts: this.#receipts,
      parts: this.#parts,
      binds: () => this.#binds,
      marginMs,
      sourceOf: async id => (await this.#prepare(id, new Date()))?.source,
    })
  }

  unavailable(): string | undefined {
    return this.#binds.length === 0 ? 'the binds have not been made yet' : downs(this.#binds)
  }

  /** Reports nothing in a process that settles no messages, which has no binds. */
  warning(): string | undefined {
    return this.#binds.length === 0 ? undefined : downs(this.#binds)
  }

  /** The last bind that went down: until then messages were sent. */
  warningSince(): Date | undefined {
    const times = this.#binds.flatMap(({ downSince }) => downSince?.getTime() ?? [])
    return times.length < this.#binds.length || times.length === 0 ? undefined : new Date(Math.max(...times))
  }

  submit(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    const { transactionId } = order
    const inFlight = this.#inFlight.get(transactionId)
    if (inFlight) return inFlight
    const sending = this.#send(order, signal).finally(() => this.#inFlight.delete(transactionId))
    this.#inFlight.set(transactionId, sending)
    return sending
  }

  async start(listener: ChargeListener): Promise<void> {
    const { settings, log, countryCode } = this.#smpp
    this.#listener = listener
    const receive = createReceiptHandler({
      log,
      countryCode,
      metrics: this.#metrics,
      record: receipt => this.#receipts.record(receipt),
      report: id => this.#report(id),
    })
    this.#warnings.start()
    const parts = { log, receive, onReady: () => this.#dispatcher.wake() }
    this.#binds = settings.binds.map((bind, index) => keepBind(bind, labelOf(settings.binds, index), parts))
  }

  async stop(): Promise<void> {
    this.#dispatcher.stop()
    await Promise.all(this.#binds.map(bind => bind.stop()))
    await this.#warnings.stop()
    this.#stopped.abort()
  }

  /** Reports the result of the message, if it is known by now. */
  async #report(transactionId: string): Promise<void> {
    const result = resultOf(await this.#parts.of(transactionId))
    if (result) await this.#listener(transactionId, result)
  }

  /** Reports results of several messages; the next inquiry finds those that cannot be reported now. */
  #reportAll(ids: readonly string[]): void {
    const { log } = this.#smpp
    for (const id of ids)
      this.#report(id).catch(error =>
        log.warn(
          { err: error, transactionId: id },
          'the result of a message could not be reported; the next inquiry finds it',
        ),
      )
  }

  /** Applies receipts that waited for these parts, and reports other messages that end by them. */
  async #applyKept(parts: readonly PartKey[]): Promise<void> {
    const own = new Set(parts.map(({ transactionId }) => transactionId))
    this.#reportAll((await this.#receipts.applyKept(parts)).filter(id => !own.has(id)))
  }

  async #prepare(transactionId: string, expiresAt: Date): Promise<OutgoingMessage | undefined> {
    const body = await this.#find(transactionId)
    if (!body) throw new Error(`there is no message ${transactionId}`)
    return prepare({ transactionId, body, expiresAt }, this.#smpp.countryCode)
  }

  /** Sends parts one after the other, so that nothing more is sent once a part was refused. */
  async #sendParts(message: OutgoingMessage, rows: readonly PartRow[], signal: AbortSignal): Promise<void> {
    let isUntouched = rows.length === 0
    for (const number of toSend(rows, message.text.parts.length)) {
      const wasTried = rows.some(row => row.number === number && row.state === 'sending')
      const state = await this.#sender.send(message, number, wasTried, signal).catch(error => {
        // Once a part was sent, NotSentError would be wrong for the message.
        throw isUntouched || !(error instanceof NotSentError) ? error : new Error(error.message)
      })
      if (REFUSED.includes(state)) return
      isUntouched = false
    }
  }

  async #send({ transactionId, expiresAt }: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    const message = await this.#prepare(transactionId, expiresAt!)
    if (!message) return { outcome: 'invalid', reason: NO_SENDER }
    const rows = await this.#parts.of(transactionId)
    const known = resultOf(rows)
    if (known) return known
    await this.#sendParts(message, rows, AbortSignal.any([signal, AbortSignal.timeout(SLOT_WAIT_MS)]))
    return resultOf(await this.#parts.of(transactionId)) ?? held('The message centre has taken the message')
  }
}

/** Label of a bind: the name, and a number from the second bind of that name on. */
const labelOf = (binds: SmppSettings['binds'], index: number): string => {
  const { name } = binds[index]!
  const before = binds.slice(0, index).filter(bind => bind.name === name).length
  return before === 0 ? name : `${name}#${before + 1}`
}

/** Makes the connector to the message centres of the settings. */
export const createSmppConnector = (parts: SmppDependencies): ChargingConnector => new SmppConnector(parts)
