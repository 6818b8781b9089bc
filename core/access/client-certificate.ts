/**
 * Client authentication by the certificate of a TLS connection (mutual TLS, RFC 8705 §2.2). Of a certificate its public key
 * counts, which the operator has registered for the client: no authority is trusted, and a certificate that is renewed with
 * the same key stays good.
 */
import { X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { TrustProxy } from '../config/addresses.ts'
import type { CertificateSource } from '../config/tls.ts'
import type { Proof } from './client-authentication.ts'
import { usableKeys } from './public-keys.ts'

/** Header in which a proxy passes on the certificate of the connection that it has ended (RFC 9440 §2.2). */
const HEADER = 'client-cert'
/** A byte sequence (RFC 9651 §3.3.5). */
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/

const parse = (der: Buffer): X509Certificate | undefined => {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

/** Reads the header of a trusted proxy. Any other client could put the certificate of another into it, which is public. */
const fromProxy = ({ headers, raw }: FastifyRequest, trustProxy: TrustProxy): X509Certificate | undefined => {
  const { [HEADER]: value } = headers
  const peer = raw.socket.remoteAddress
  if (typeof value !== 'string' || peer === undefined || !trustProxy || !trustProxy(peer, 0)) return undefined
  const [, encoded] = BYTES.exec(value) ?? []
  return encoded === undefined ? undefined : parse(Buffer.from(encoded, 'base64'))
}

/** Reads the certificate that was shown on a connection; its client has proven by the handshake that it has the key. */
const fromConnection = ({ raw }: FastifyRequest): X509Certificate | undefined =>
  raw.socket instanceof TLSSocket ? raw.socket.getPeerX509Certificate() : undefined

/** Finds the certificate that a request's client has shown; undefined where it has shown none, or none is accepted. */
export type ReadCertificate = (request: FastifyRequest) => X509Certificate | undefined

/** Makes the reader of certificates. @param source where they come from. */
export const createReadCertificate = (source: CertificateSource, trustProxy: TrustProxy): ReadCertificate => {
  if (source === 'none') return () => undefined
  return source === 'tls' ? fromConnection : request => fromProxy(request, trustProxy)
}

/** Answer for an unknown and a disabled client, and for a certificate whose key it does not have, alike. */
const WRONG = 'Unknown client, or a certificate whose key is none of its keys'

const validityFault = ({ validFromDate, validToDate }: X509Certificate, now: number): string | undefined => {
  if (now < validFromDate.getTime()) return `The certificate is valid from ${validFromDate.toISOString()} on`
  return now > validToDate.getTime()
    ? `The certificate has expired at ${validToDate.toISOString()}`
    : undefined
}

/** Thumbprint (RFC 7638) of its public key; undefined for a kind of key that no client can have. */
const thumbprintOf = async (certificate: X509Certificate): Promise<string | undefined> => {
  try {
    return await calculateJwkThumbprint(certificate.publicKey.export({ format: 'jwk' }) as JWK)
  } catch {
    return undefined
  }
}

/** Makes the proof by a certificate, which is compared with the registered keys of the client (not with published ones). */
export const proveByCertificate = (certificate: X509Certificate): Proof => ({
  kind: 'certificate',
  async refute(record, _, now) {
    const keys = record && !record.disabledAt ? (usableKeys(record.jwks)?.keys ?? []) : []
    const known = await Promise.all(keys.map(key => calculateJwkThumbprint(key)))
    const shown = await thumbprintOf(certificate)
    return shown !== undefined && known.includes(shown) ? validityFault(certificate, now) : WRONG
  },
})
