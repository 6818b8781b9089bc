/** Client authentication by id and secret (RFC 6749 §2.3.1), slowed down for those who guess. */
import { ServiceError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { DECOY_HASH, verifySecret } from './secrets.ts'
import type { Attempt, Throttle } from './throttle.ts'

/**
 * The client whose secret this is. Unknown, disabled or wrong, which look the same: ServiceError UNAUTHORIZED, with
 * `retry-after` while further tries are refused. Database away or too many at once: SERVICE_UNAVAILABLE.
 */
export type Authenticate = (attempt: Attempt, secret: string) => Promise<ClientRecord>

interface Parts {
  clients: Pick<Clients, 'find'>
  throttle: Throttle
  log: Logger
}

const blocked = (seconds: number) =>
  new ServiceError('UNAUTHORIZED', `Too many wrong secrets: try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })

const refused = () => new ServiceError('UNAUTHORIZED', 'Unknown client or wrong secret')

/** Makes the function that authenticates clients. */
export function createAuthenticate({ clients, throttle, log }: Parts): Authenticate {
  const checkWait = (attempt: Attempt) => {
    const seconds = throttle.waitSeconds(attempt)
    if (seconds > 0) throw blocked(seconds)
  }
  const fail = (attempt: Attempt) => {
    throttle.failed(attempt)
    const { address, clientId } = attempt
    log.warn(
      { address, clientId: clientId.slice(0, 128) },
      'a client was refused: unknown, disabled or wrong secret',
    )
    return refused()
  }
  return async (attempt, secret) => {
    checkWait(attempt)
    const record = await clients.find(attempt.clientId)
    const matches = await verifySecret(secret, record?.secretHash ?? DECOY_HASH)
    // Many guesses sent at once all pass the first look; those beyond the limit learn nothing here.
    checkWait(attempt)
    if (!record || !matches || record.disabledAt) throw fail(attempt)
    throttle.succeeded(attempt)
    return record
  }
}
