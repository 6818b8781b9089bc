/** Certificates for 127.0.0.1, each signed by its own key, made with openssl. */
import { execFileSync } from 'node:child_process'

/** Files of a certificate and its private key, in PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

const TIMEOUT_MS = 30_000

/**
 * Makes a certificate and its key.
 * @param name common name of the subject.
 * @param days validity from now on; a negative number makes one that has expired.
 */
export function issueCertificate({ cert, key }: CertificateFiles, name: string, days = 90): void {
  const kind = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'.split(' ')
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...kind, '-days', String(days), ...files, ...names], {
    stdio: 'pipe',
    timeout: TIMEOUT_MS,
  })
}
