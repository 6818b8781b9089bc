/** The program's own certificate (`TLS_CERT`, `TLS_KEY`): where it lies, and what must hold for a pair to be served. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { SetupError } from '../errors/catalogue.ts'
import type { SettingsReader } from './settings.ts'

/** Paths of the PEM files of a certificate with its chain, and of its private key. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate that can be served, as its files have it. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
  /** Time after which no client accepts it. */
  readonly expiresAt: Date
}

/** Thrown for files that cannot be served; the message is for the operator and says what to do. */
export class CertificateError extends SetupError {}

const attempt = <T>(what: string, act: () => T): T => {
  try {
    return act()
  } catch (error) {
    throw new CertificateError(`${what}: ${(error as Error).message}`, { cause: error })
  }
}

/** Options of a TLS context: TLS 1.2 at least (RFC 9325 §3.1.1). */
export const contextOf = ({ cert, key }: Pick<KeyPair, 'cert' | 'key'>): SecureContextOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
})

/**
 * Checks the contents of the two files against each other.
 * @throws CertificateError.
 */
export function checkKeyPair(files: TlsFiles, cert: string, key: string): KeyPair {
  const leaf = attempt(
    `TLS_CERT must name a PEM file that begins with the server's certificate (${files.cert})`,
    () => new X509Certificate(cert),
  )
  const own = attempt(
    `TLS_KEY must name a PEM file with a private key without a passphrase (${files.key})`,
    () => createPrivateKey(key),
  )
  if (!leaf.checkPrivateKey(own))
    throw new CertificateError(
      `TLS_KEY must be the key of the certificate in TLS_CERT: ${files.key} does not match ${files.cert}; take both from the same issue`,
    )
  attempt(`TLS_CERT must name a certificate with its chain that TLS accepts (${files.cert})`, () =>
    createSecureContext(contextOf({ cert, key })),
  )
  return { cert, key, expiresAt: leaf.validToDate }
}

/** Reads both files. @throws CertificateError where they cannot be read, or served. */
export function readKeyPair(files: TlsFiles): KeyPair {
  const cert = attempt('TLS_CERT must name a file that this user can read', () =>
    readFileSync(files.cert, 'utf8'),
  )
  const key = attempt('TLS_KEY must name a file that this user can read', () =>
    readFileSync(files.key, 'utf8'),
  )
  return checkKeyPair(files, cert, key)
}

/**
 * Reads `TLS_CERT` and `TLS_KEY`; undefined where the server speaks plain HTTP. The files are for the server alone: a command
 * that only works on the database may not be able to read them.
 */
export const readTls = (read: SettingsReader): TlsFiles | undefined => {
  const [cert, key] = [read.optional('TLS_CERT'), read.optional('TLS_KEY')]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY']
    read.faults.push(`${missing} must be set when ${given} is: TLS needs a certificate and its key`)
    return undefined
  }
  return { cert, key }
}

/** Where certificates of clients come from: nowhere, connections of this server, or a trusted proxy's header. */
export type CertificateSource = 'none' | 'tls' | 'proxy'

/** A number of proxies, which trusts whatever connects directly. */
const NUMBER = /^\d+$/

/** Reads `CLIENT_CERTIFICATES`, which needs to know the proxies whose header is believed, or a server with TLS. */
export const readCertificateSource = (read: SettingsReader): CertificateSource => {
  const source = read.text('CLIENT_CERTIFICATES') as CertificateSource
  if (source === 'tls' && read.optional('TLS_CERT') === undefined)
    read.faults.push('TLS_CERT must be set when CLIENT_CERTIFICATES is tls: the server itself ends TLS then')
  const proxies = read.optional('TRUST_PROXY')
  if (source === 'proxy' && (proxies === undefined || NUMBER.test(proxies)))
    read.faults.push(
      'TRUST_PROXY must name addresses when CLIENT_CERTIFICATES is proxy: a number would believe any client its header',
    )
  return source
}
