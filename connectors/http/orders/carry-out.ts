/** One call for an order that was taken: it is sent, asked about or captured, outside of any database transaction. */
import {
  type ChargeOrder,
  type ChargeProgress,
  type ChargingConnector,
  NotSentError,
} from '#core/charging/charging.ts'
import type { ClaimedOrder } from './order.ts'

/** What a call told; or that it told nothing, and then whether it is certain that nothing was sent. */
export type CallOutcome =
  | { readonly progress: ChargeProgress }
  | { readonly error: string; readonly notSent?: { readonly retryAfterMs: number } }

/** Which call an order's state asks for. */
export type CallName = 'submit' | 'inquire' | 'capture'

/** The first call for an order in this state. */
export function callFor({ state }: ClaimedOrder, connector: ChargingConnector): CallName {
  if (state === 'reserved' && connector.capture) return 'capture'
  return state === 'waiting' || !connector.inquire ? 'submit' : 'inquire'
}

/** What never arrived, or is not known there any more, is sent (again) under the same key. */
const call = async (
  connector: ChargingConnector,
  name: CallName,
  order: ChargeOrder,
  signal: AbortSignal,
): Promise<ChargeProgress> => {
  if (name === 'capture') return connector.capture!(order, signal)
  const found = name === 'inquire' ? await connector.inquire!(order, signal) : undefined
  return found ?? connector.submit(order, signal)
}

/** A connector that does not heed its signal is left to itself. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const MAX_ERROR = 500

const failureOf = (error: unknown): CallOutcome => {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR)
  if (error instanceof NotSentError)
    return { error: text, notSent: { retryAfterMs: error.retryAfterMs ?? 0 } }
  return { error: text }
}

/** Makes the call. Never throws: what it told, or that it told nothing. */
export async function carryOut(
  connector: ChargingConnector,
  name: CallName,
  order: ChargeOrder,
  { stop, deadlineMs }: { readonly stop: AbortSignal; readonly deadlineMs: number },
): Promise<CallOutcome> {
  const over = new AbortController()
  const late = setTimeout(() => over.abort(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs)
  const signal = AbortSignal.any([stop, over.signal])
  try {
    const working = call(connector, name, order, signal)
    working.catch(() => undefined)
    return { progress: await Promise.race([working, untilAborted(signal)]) }
  } catch (error) {
    return failureOf(error)
  } finally {
    clearTimeout(late)
  }
}
