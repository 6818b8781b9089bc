/** The SMPP connector on a database of its own, against a message centre in its own process, without what settles around it. */
import { Registry } from 'prom-client'
import { createSmppConnector } from '#connectors/smpp/connector.ts'
import type { ChargeOrder, ChargeProgress, ChargingConnector } from '#core/charging/charging.ts'
import { readConfig } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { createLog } from '#core/observability/log.ts'
import { newId } from '#core/values/id.ts'

const HOUR = 3_600_000

/** Never aborted: what is not under test takes the time it takes. */
const PATIENT = new AbortController().signal

export interface Connected extends AsyncDisposable {
  readonly connector: ChargingConnector
  readonly registry: Registry
  readonly logLines: string[]
  /** Reports to the listener, in order. */
  readonly reported: { readonly id: string; readonly progress: ChargeProgress }[]
  /** Resolves with the first report on a message. */
  result(id: string): Promise<ChargeProgress>
  /** Puts a message into its table, and makes its order. */
  order(body?: Record<string, string | number | boolean>, expiresInMs?: number): Promise<ChargeOrder>
  /** Makes the listener refuse the next report. */
  refuseNext(): void
  submit(order: ChargeOrder, signal?: AbortSignal): Promise<ChargeProgress>
  /** Goes on as those who settle do: asks, and sends what never arrived, until the result is known. */
  settle(order: ChargeOrder): Promise<ChargeProgress>
}

let sequence = Date.now()

const insert = async ({ db }: App, body: Record<string, string | number | boolean>, id: string) => {
  const position = ++sequence
  await db.message.create({
    data: {
      id,
      position,
      clientId: 'smpp',
      clientPosition: position,
      createdAt: new Date(),
      status: 'accepted',
      mobileNumber: String(body['recipient']),
      body,
    },
  })
}

const expect = <T>(waiting: Map<string, PromiseWithResolvers<T>>, id: string) => {
  const one = waiting.get(id) ?? Promise.withResolvers<T>()
  waiting.set(id, one)
  return one
}

/** @param env settings; `SMPP_URL` at least. */
export async function connect(app: App, env: Record<string, string>): Promise<Connected> {
  const { smpp } = readConfig({ SMS: 'smpp', SMPP_RESEND_SECONDS: '10', ...env })
  const registry = new Registry()
  const logLines: string[] = []
  const log = createLog('info', { write: line => void logLines.push(line) })
  const parts = { settings: smpp!, countryCode: '968', db: app.db, log, registry, watchdog: app.watchdog }
  const connector = createSmppConnector(parts)
  const reported: { id: string; progress: ChargeProgress }[] = []
  const waiting = new Map<string, PromiseWithResolvers<ChargeProgress>>()
  let refusals = 0
  await connector.start(async (id, progress) => {
    if (refusals-- > 0) throw new Error('not now')
    reported.push({ id, progress })
    expect(waiting, id).resolve(progress)
  })
  return {
    connector,
    registry,
    logLines,
    reported,
    result: id => expect(waiting, id).promise,
    async order(body = {}, expiresInMs = HOUR) {
      const id = newId()
      const whole = { sender: 'MuscatPay', recipient: '96891000001', smsText: 'Hello', ...body }
      await insert(app, whole, id)
      return {
        transactionId: id,
        operation: 'sendSms',
        mobileNumber: whole.recipient,
        expiresAt: new Date(Date.now() + expiresInMs),
      }
    },
    refuseNext: () => {
      refusals = 1
    },
    submit: (order, signal = PATIENT) => connector.submit(order, signal),
    async settle(order) {
      for (;;) {
        const progress = await connector.inquire!(order, PATIENT).catch(() => undefined)
        if (progress && progress.outcome !== 'pending') return progress
        if (!progress) await connector.submit(order, PATIENT).catch(() => undefined)
        await new Promise(resume => setTimeout(resume, 50))
      }
    },
    [Symbol.asyncDispose]: () => connector.stop(),
  }
}
