/** Client authentication by a secret (RFC 6749 §2.3.1) or another proof. Repeated failures have to wait. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { isSecretOf, verifyNothing } from './secrets.ts'
import type { Attempt, Throttle, Waits } from './throttle.ts'

/** Proof that a client sends beside its id. */
export interface Proof {
  readonly kind: 'secret' | 'assertion' | 'certificate'
  /**
   * Finds the sentence that refuses the proof; undefined where the proof holds. An unknown client and a disabled one get the
   * same sentence.
   * @param waits of the attempt: a proof that costs time is not tried during one.
   * @throws ServiceError SERVICE_UNAVAILABLE where it cannot be checked now.
   */
  refute(record: ClientRecord | undefined, waits: Waits, now: number): Promise<string | undefined>
}

/**
 * Finds the client of an id and a secret, or another proof.
 * @throws ServiceError UNAUTHORIZED for an unknown or disabled client and for a wrong secret, which are answered alike,
 * with `retry-after` while further attempts are refused; SERVICE_UNAVAILABLE without a database, or for too many at once.
 */
export type Authenticate = (attempt: Attempt, proof: string | Proof) => Promise<ClientRecord>

/** Refusal of a proof. */
export interface RefusedSecret {
  readonly kind: Proof['kind']
  /** `throttled` after many wrong ones. */
  readonly reason: 'wrong' | 'throttled'
  /** Client that it was tried for, if it is known to exist. */
  readonly clientId?: string | undefined
  readonly address: string
}

interface AuthenticateOptions {
  clients: Pick<Clients, 'find'>
  throttle: Throttle
  log: Logger
  /** Called with each refusal. */
  onRefused?: (refusal: RefusedSecret) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

const blocked = (seconds: number, kind: Proof['kind']) =>
  new ServiceError('UNAUTHORIZED', `Too many wrong ${kind}s: try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })

const WRONG_SECRET = 'Unknown client or wrong secret'

/** Makes the proof by a secret. An unknown id costs a hash too, so that its time does not tell it apart. */
const bySecret = (secret: string): Proof => ({
  kind: 'secret',
  async refute(record, { unknown }, now) {
    if (record)
      return (await isSecretOf(record, secret, now)) && !record.disabledAt ? undefined : WRONG_SECRET
    if (unknown === 0) await verifyNothing(secret)
    return WRONG_SECRET
  },
})

/** Makes the function that authenticates clients. */
export function createAuthenticate({
  clients,
  throttle,
  log,
  onRefused = () => undefined,
  now = Date.now,
}: AuthenticateOptions): Authenticate {
  /** Failures in this process. A success needs no second check where none happened since it began. */
  let failures = 0
  const fail = async (
    attempt: Attempt,
    before: Waits,
    isKnown: boolean,
    kind: Proof['kind'],
    refusal: string,
  ) => {
    const mayCount = isKnown || before.unknown === 0
    const counted = mayCount && (await throttle.failed(attempt, isKnown))
    const { address, clientId } = attempt
    log.warn(
      { address, clientId: clientId.slice(0, 128) },
      `client authentication failed: unknown id, disabled, or wrong ${kind}`,
    )
    /** Names the wait. That of the network holds for failed attempts alone: a right secret never waits for others. */
    const refusalFor = ({ client, unknown }: Pick<Waits, 'client' | 'unknown'>) =>
      client > 0 || unknown > 0
        ? blocked(Math.max(client, unknown), kind)
        : new ServiceError('UNAUTHORIZED', refusal)
    if (counted || !mayCount) return refusalFor(before)
    const { client, unknown } = await throttle.waits(attempt)
    return refusalFor({ client: Math.max(1, client), unknown })
  }
  /** Checks the limit once more: many guesses that are sent at once all pass the first check. */
  const succeed = async (attempt: Attempt, before: Waits, failuresBefore: number, kind: Proof['kind']) => {
    if (failures !== failuresBefore) {
      const { client } = await throttle.waits(attempt)
      if (client > 0) {
        onRefused({ kind, reason: 'throttled', clientId: attempt.clientId, address: attempt.address })
        throw blocked(client, kind)
      }
    }
    if (before.hasFailed || failures !== failuresBefore) await throttle.succeeded(attempt)
  }
  return async (attempt, given) => {
    const proof = typeof given === 'string' ? bySecret(given) : given
    const { kind } = proof
    const failuresBefore = failures
    const before = await throttle.waits(attempt)
    if (before.client > 0) {
      onRefused({ kind, reason: 'throttled', address: attempt.address })
      throw blocked(before.client, kind)
    }
    const record = await clients.find(attempt.clientId)
    const refusal = await proof.refute(record, before, now())
    if (record && refusal === undefined) {
      await succeed(attempt, before, failuresBefore, kind)
      return record
    }
    failures += 1
    onRefused({ kind, reason: 'wrong', clientId: record?.id, address: attempt.address })
    throw await fail(attempt, before, record !== undefined, kind, refusal ?? WRONG_SECRET)
  }
}
