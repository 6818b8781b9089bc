/** Signatures of Standard Webhooks 1.0, by Web Crypto: `v1` (HMAC-SHA256) by a secret, `v1a` (Ed25519) by a public key. */

const SECRET_PREFIX = 'whsec_'
const KEY_PREFIX = 'whpk_'

/** A public key of Ed25519 in a JWK set (RFC 8037). */
export interface PublicJwk {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly kid?: string
}

/** Verifies one signature of a version. */
export interface Verifier {
  readonly version: 'v1' | 'v1a'
  verify(content: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>): Promise<boolean>
}

/** Octets of base64 or base64url; undefined where it is neither. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    const standard = text.replaceAll('-', '+').replaceAll('_', '/')
    return Uint8Array.from(atob(standard), one => one.charCodeAt(0))
  } catch {
    return undefined
  }
}

const octetsOf = (text: string, prefix: string, lengths: readonly [least: number, most: number]) => {
  const octets = text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : undefined
  const [least, most] = lengths
  if (octets && octets.length >= least && octets.length <= most) return octets
  throw new TypeError(
    `it must be "${prefix}" and ${least === most ? least : `${least} to ${most}`} octets in base64`,
  )
}

/**
 * Makes the verifier of a signing secret (`whsec_…`).
 * @throws TypeError where it is none.
 */
export async function bySecret(secret: string): Promise<Verifier> {
  const octets = octetsOf(secret, SECRET_PREFIX, [24, 64])
  const key = await crypto.subtle.importKey('raw', octets, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  return {
    version: 'v1',
    verify: (content, signature) => crypto.subtle.verify('HMAC', key, signature, content),
  }
}

const ofOctets = async (octets: Uint8Array<ArrayBuffer>): Promise<Verifier> => {
  const key = await crypto.subtle.importKey('raw', octets, 'Ed25519', false, ['verify'])
  return {
    version: 'v1a',
    verify: (content, signature) => crypto.subtle.verify('Ed25519', key, signature, content),
  }
}

/**
 * Makes the verifier of a public key in text (`whpk_…`).
 * @throws TypeError where it is none.
 */
export const byPublicKey = (text: string): Promise<Verifier> => ofOctets(octetsOf(text, KEY_PREFIX, [32, 32]))

/** Makes the verifiers of a JWK set; keys that sign something else are passed over. */
export async function byJwks(keys: readonly PublicJwk[]): Promise<Verifier[]> {
  const octets = keys
    .filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
    .flatMap(({ x }) => fromBase64(x ?? '') ?? [])
  return Promise.all(octets.filter(({ length }) => length === 32).map(ofOctets))
}
