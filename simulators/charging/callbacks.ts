/** Tells the services what became of an order that was pending, signed, until they have noted it. */
import { setTimeout as delay } from 'node:timers/promises'
import { signatureHeaders } from '#core/webhooks/message.ts'
import type { Entry } from './book.ts'

export interface CallbackOptions {
  /** `/charging/callbacks` of the services; nobody is told where it is unset. */
  readonly url: string | undefined
  /** `CHARGING_CALLBACK_SECRET` of the services. */
  readonly secret: string
}

const ATTEMPTS = 6
const FIRST_WAIT_MS = 200
const LIMIT_MS = 5_000

const send = async (
  { url, secret }: CallbackOptions,
  { transactionId, outcome, reason }: Entry,
): Promise<boolean> => {
  const body = JSON.stringify({ transactionId, outcome, reason })
  const headers = signatureHeaders(`${transactionId}-${outcome}`, body, [secret], Date.now())
  const response = await fetch(url!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return response.status === 204
}

/** Makes the function that tells of an order so many times; what is not noted after some attempts is left to be asked. */
export const createTeller =
  (options: CallbackOptions) =>
  async (entry: Entry, times: number): Promise<void> => {
    if (!options.url) return
    for (let time = 0; time < times; time++)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await send(options, entry).catch(() => false)) break
        await delay(FIRST_WAIT_MS * 2 ** attempt, undefined, { ref: false })
      }
  }
