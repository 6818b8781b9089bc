/**
 * The certificate that a process serves. Its files are read again and again: certbot and Kubernetes replace symbolic
 * links, which no watch of a file follows. A replacement that cannot be served leaves the former one in use.
 */
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import { checkKeyPair, contextOf, type KeyPair, readKeyPair, type TlsFiles } from '../config/tls.ts'
import type { Logger } from '../observability/log.ts'
import type { Degradation } from './health.ts'

/** Interval in milliseconds at which the files are read. */
const LOOK_MS = 2_000
const DAY_MS = 86_400_000
/** Rest of a certificate's validity from which on readiness warns; ACME clients renew a month before the end. */
const WARN_MS = 14 * DAY_MS
const PART = 'TLS certificate'

const FORMER = 'the former certificate stays in use'

/** The certificate of a process. */
export class Certificate {
  readonly #files: TlsFiles
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  #served: KeyPair
  #server: TlsServer | undefined
  /** Fault that the last look found; told once two looks agree, since two files are not replaced in one moment. */
  #found: string | undefined
  #fault: { readonly reason: string; readonly since: Date } | undefined
  #looking: Promise<void> | undefined

  /** @throws CertificateError. */
  constructor(files: TlsFiles, log: Logger) {
    this.#files = files
    this.#log = log
    this.#served = readKeyPair(files)
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
    }, LOOK_MS).unref()
  }

  /** The pair that is served. */
  get served(): KeyPair {
    return this.#served
  }

  /** Has the server of this process serve each replacement, from its next connection on. */
  serveAt(server: Server): void {
    if (server instanceof TlsServer) this.#server = server
  }

  /** Warnings: a replacement that cannot be served, and an end of validity that is near. */
  degradations(now = Date.now()): Degradation[] {
    const leftMs = this.#served.expiresAt.getTime() - now
    const end = this.#served.expiresAt.toISOString()
    const near = leftMs < 0 ? `expired at ${end}` : `expires at ${end}`
    return [
      ...(this.#fault ? [{ part: PART, ...this.#fault, isWarning: true }] : []),
      ...(leftMs < WARN_MS
        ? [{ part: `${PART} validity`, reason: `the TLS certificate ${near}; renew it`, isWarning: true }]
        : []),
    ]
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    try {
      const [cert, key] = await Promise.all([
        readFile(this.#files.cert, 'utf8'),
        readFile(this.#files.key, 'utf8'),
      ])
      if (cert !== this.#served.cert || key !== this.#served.key) this.#replace(cert, key)
      this.#found = undefined
      this.#fault = undefined
    } catch (error) {
      this.#refuse((error as Error).message)
    }
  }

  #replace(cert: string, key: string): void {
    const pair = checkKeyPair(this.#files, cert, key)
    this.#server?.setSecureContext(contextOf(pair))
    this.#served = pair
    this.#log.info({ expiresAt: pair.expiresAt.toISOString() }, 'the TLS certificate was replaced')
  }

  #refuse(message: string): void {
    const isNew = this.#found === message && !this.#fault?.reason.startsWith(message)
    this.#found = message
    if (!isNew) return
    this.#fault = { reason: `${message}; ${FORMER}`, since: new Date() }
    this.#log.error({ reason: message }, `the TLS certificate was not replaced; ${FORMER}`)
  }
}
