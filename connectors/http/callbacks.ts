/** Callbacks of a charging system: who may tell (Standard Webhooks 1.0), and what was told. */
import { timingSafeEqual } from 'node:crypto'
import type { ChargeProgress } from '#core/charging/charging.ts'
import { signatureHeaders } from '#core/webhooks/signature.ts'
import { progressOf, readState } from './messages.ts'

/** How far the sender's clock may be off, and how old a message may be that is told again by someone else. */
const TOLERANCE_SECONDS = 300

type Headers = Readonly<Record<string, string | string[] | undefined>>

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether the message is signed with the secret.
 * @param now milliseconds since 1970.
 */
export function isSigned(headers: Headers, body: Buffer, secret: string, now: number): boolean {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    name => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return false
  const { 'webhook-signature': expected } = signatureHeaders(id, body, [secret], Number(timestamp) * 1_000)
  return signature.split(' ').some(one => isSame(one, expected!))
}

/** The order and what became of it; undefined for what the document does not describe. */
export function readCallback(text: string): { id: string; progress: ChargeProgress } | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const state = readState(body)
  return state && { id: state.transactionId, progress: progressOf(state) }
}
