/** The server's public keys, read at its JWKS address and kept for minutes. */
import { byJwks, type PublicJwk, type Verifier } from './signatures.ts'

/** Time in milliseconds for which keys are kept, as the address says of itself. */
const FRESH_MS = 300_000
/** Shortest time in milliseconds between two readings, whatever signatures come. */
const COOLDOWN_MS = 60_000
const TIMEOUT_MS = 5_000

/** Keys of an address. */
export interface PublishedKeys {
  /** Keys that are fresh. @throws Error where they could never be read. */
  current(): Promise<readonly Verifier[]>
  /** Keys that were read after a signature matched none; undefined where that was tried a moment ago. */
  renewed(): Promise<readonly Verifier[] | undefined>
}

/** Makes the reader of an address. Keys that were read before an outage outlast it. */
export function publishedKeys(address: string, now: () => number = Date.now): PublishedKeys {
  let keys: readonly Verifier[] | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly Verifier[]> | undefined
  const read = async () => {
    triedAt = now()
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`the public keys cannot be read: ${address} answers ${response.status}`)
    const set = (await response.json()) as { keys?: readonly PublicJwk[] }
    keys = await byJwks(set.keys ?? [])
    return keys
  }
  const once = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    async current() {
      if (keys && now() - triedAt < FRESH_MS) return keys
      return keys ? once().catch(() => keys!) : once()
    },
    async renewed() {
      if (now() - triedAt < COOLDOWN_MS) return undefined
      return once().catch(() => undefined)
    },
  }
}
