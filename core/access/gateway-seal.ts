/**
 * Seal of a gateway: it shows a subgraph of the same installation that the caller is its gateway, which records itself who
 * looked at whom. It is made with a key that only processes with the same `SECRETS_KEY` have; no client ever sees one.
 */
import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createCipher, KEY_BYTES } from './cipher.ts'

/** Header of a sealed request. */
export const GATEWAY_SEAL = 'x-gateway-seal'

/** Time after which a gateway makes a new seal, in milliseconds. */
const RENEWED_MS = 60_000
/** Time for which a seal is taken, in milliseconds: clocks of machines may differ. */
const VALID_MS = 300_000
const MAX_KNOWN = 100

export interface GatewaySeals {
  /** Gives the present seal. */
  seal(): string
  /** Whether a header's value is a seal of this installation. */
  isSealed(value: unknown): boolean
}

const derived = (key: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, '', 'gateway seal', KEY_BYTES))

/**
 * Makes the seals of an installation.
 * @param secret the key of `SECRETS_KEY`, from which a key of their own is derived.
 * @param others further keys, whose seals are taken too while the key is being changed.
 * @param now milliseconds since 1970.
 */
export function createGatewaySeals(
  secret: Buffer,
  now: () => number = Date.now,
  others: readonly Buffer[] = [],
): GatewaySeals {
  const cipher = createCipher(derived(secret), others.map(derived))
  const known = new LRUCache<string, number>({ max: MAX_KNOWN })
  let own = { text: '', at: Number.NEGATIVE_INFINITY }
  const madeAt = (text: string): number => {
    try {
      return Number(cipher.decrypt(text))
    } catch {
      return Number.NaN
    }
  }
  const timeOf = (text: string): number => {
    const found = known.get(text)
    if (found !== undefined) return found
    const at = madeAt(text)
    if (!Number.isNaN(at)) known.set(text, at)
    return at
  }
  return {
    seal() {
      if (now() - own.at > RENEWED_MS) own = { text: cipher.encrypt(String(now())), at: now() }
      return own.text
    },
    isSealed: value => typeof value === 'string' && Math.abs(now() - timeOf(value)) < VALID_MS,
  }
}
