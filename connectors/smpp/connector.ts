/**
 * SMS over SMPP 3.4, behind the port to the charging system: a message is `done` once the receipts of all of its parts
 * say so. What happens at each fault stands in docs/connectors.md, "SMS over SMPP".
 */

import type { Registry } from 'prom-client'
import type { Watchdog } from '#core/async/watchdog.ts'
import type {
  ChargeListener,
  ChargeOrder,
  ChargeProgress,
  ChargingConnector,
} from '#core/charging/charging.ts'
import { NotSentError } from '#core/charging/charging.ts'
import type { SmppSettings } from '#core/config/smpp.ts'
import type { PrismaClient } from '#core/data/db.ts'
import type { Logger } from '#core/observability/log.ts'
import { type Bind, keepBind } from './bind.ts'
import { Complaints } from './complaints.ts'
import { createDispatcher } from './dispatcher.ts'
import { createInquiry } from './inquiry.ts'
import { messageLookup } from './messages.ts'
import { createSmppMetrics } from './metrics.ts'
import { type PartRow, resultOf, toSend } from './outcome.ts'
import { createParts } from './parts.ts'
import { createReceiptStore, type PartKey, type ReceiptStore } from './receipt-store.ts'
import { createReceiver } from './receiver.ts'
import { PartSender, type Sent } from './sender.ts'
import { type OutgoingMessage, prepare } from './submit.ts'

export interface SmppParts {
  readonly settings: SmppSettings
  readonly countryCode: string
  readonly db: PrismaClient
  readonly log: Logger
  readonly registry: Registry
  readonly watchdog: Watchdog
}

/** How long a message waits for a place before it is left to a later time. */
const PATIENCE_MS = 20_000

const REFUSED: readonly Sent[] = ['expired', 'failed', 'declined', 'error']

const NO_SENDER = 'The sender has characters that an SMPP address cannot hold'

const downs = (binds: readonly Bind[]): string | undefined =>
  binds.every(({ down }) => down !== undefined)
    ? `no bind to a message centre is up (${binds.map(({ label, down }) => `${label}: ${down}`).join('; ')})`
    : undefined

const held = (reason: string): ChargeProgress => ({ outcome: 'pending', reason })

/** The connector and its binds, which are made once it is started. */
class SmppConnector implements ChargingConnector {
  readonly embedded = false
  readonly name = 'smpp'
  readonly parallel: number
  readonly deadlineMs: number
  readonly inquire: NonNullable<ChargingConnector['inquire']>
  readonly #smpp: SmppParts
  readonly #receipts: ReceiptStore
  readonly #parts
  readonly #complaints: Complaints
  readonly #find
  readonly #metrics
  readonly #sender: PartSender
  readonly #stopped = new AbortController()
  readonly #dispatcher = createDispatcher(() => this.#binds)
  /** What this process is sending at the moment: the same again joins it. */
  readonly #underWay = new Map<string, Promise<ChargeProgress>>()
  #binds: Bind[] = []
  #listener: ChargeListener = async () => undefined

  constructor(smpp: SmppParts) {
    const { settings, db, log, registry, watchdog } = smpp
    const { binds, resendMs, marginMs } = settings
    this.#smpp = smpp
    this.parallel = binds.reduce((sum, { window }) => sum + window, 0)
    this.deadlineMs = PATIENCE_MS + 2 * Math.max(...binds.map(({ timeoutMs }) => timeoutMs))
    this.#receipts = createReceiptStore({
      db,
      watchdog,
      formOf: smsc => binds.find(({ centre }) => centre === smsc)?.ids ?? 'any',
      onApplied: ids => this.#tellAll(ids),
    })
    this.#parts = createParts({ db, watchdog, staleMs: resendMs, applyKept: parts => this.#applyKept(parts) })
    this.#complaints = new Complaints({ db, log, registry })
    this.#find = messageLookup(db)
    this.#metrics = createSmppMetrics(registry, () => this.#binds)
    const tell = (id: string) => this.#tell(id)
    this.#sender = new PartSender({
      log,
      metrics: this.#metrics,
      complaints: this.#complaints,
      parts: this.#parts,
      dispatcher: this.#dispatcher,
      tell,
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

  /** A process without messages makes no binds, and misses none. */
  warning(): string | undefined {
    return this.#binds.length === 0 ? undefined : downs(this.#binds)
  }

  submit(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress> {
    const { transactionId } = order
    const underWay = this.#underWay.get(transactionId)
    if (underWay) return underWay
    const sending = this.#send(order, signal).finally(() => this.#underWay.delete(transactionId))
    this.#underWay.set(transactionId, sending)
    return sending
  }

  async start(listener: ChargeListener): Promise<void> {
    const { settings, log, countryCode } = this.#smpp
    this.#listener = listener
    const receive = createReceiver({
      log,
      countryCode,
      metrics: this.#metrics,
      note: receipt => this.#receipts.note(receipt),
      tell: id => this.#tell(id),
    })
    this.#complaints.start()
    const parts = { log, receive, onReady: () => this.#dispatcher.wake() }
    this.#binds = settings.binds.map((bind, index) => keepBind(bind, labelOf(settings.binds, index), parts))
  }

  async stop(): Promise<void> {
    this.#dispatcher.stop()
    await Promise.all(this.#binds.map(bind => bind.stop()))
    await this.#complaints.stop()
    this.#stopped.abort()
  }

  /** Concludes the message where its result is known by now. */
  async #tell(transactionId: string): Promise<void> {
    const result = resultOf(await this.#parts.of(transactionId))
    if (result) await this.#listener(transactionId, result)
  }

  /** Of what cannot be told now the next inquiry finds out. */
  #tellAll(ids: readonly string[]): void {
    const { log } = this.#smpp
    for (const id of ids)
      this.#tell(id).catch(error =>
        log.warn({ err: error, transactionId: id }, 'the end of a message is noted later'),
      )
  }

  /** Receipts that waited for these parts; other messages may end by them too, and those are told of here. */
  async #applyKept(parts: readonly PartKey[]): Promise<void> {
    const own = new Set(parts.map(({ transactionId }) => transactionId))
    this.#tellAll((await this.#receipts.applyKept(parts)).filter(id => !own.has(id)))
  }

  async #prepare(transactionId: string, expiresAt: Date): Promise<OutgoingMessage | undefined> {
    const body = await this.#find(transactionId)
    if (!body) throw new Error(`there is no message ${transactionId}`)
    return prepare({ transactionId, body, expiresAt }, this.#smpp.countryCode)
  }

  /** One after the other, so that nothing more is sent of a text that cannot be whole. */
  async #sendParts(message: OutgoingMessage, rows: readonly PartRow[], signal: AbortSignal): Promise<void> {
    let isUntouched = rows.length === 0
    for (const number of toSend(rows, message.text.parts.length)) {
      const wasTried = rows.some(row => row.number === number && row.state === 'sending')
      const state = await this.#sender.send(message, number, wasTried, signal).catch(error => {
        // Of a message that is sent in part it cannot be said that nothing was sent.
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
    await this.#sendParts(message, rows, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
    return resultOf(await this.#parts.of(transactionId)) ?? held('The message centre has taken the message')
  }
}

/** Several binds to one message centre are told apart by their number. */
const labelOf = (binds: SmppSettings['binds'], index: number): string => {
  const { name } = binds[index]!
  const before = binds.slice(0, index).filter(bind => bind.name === name).length
  return before === 0 ? name : `${name}#${before + 1}`
}

/** SMS by the message centres of the settings. */
export const createSmppConnector = (parts: SmppParts): ChargingConnector => new SmppConnector(parts)
