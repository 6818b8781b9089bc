/** Client authentication by id and secret (RFC 6749 §2.3.1), slowed down against guessing. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { isSecretOf, verifyNothing } from './secrets.ts'
import type { Attempt, Throttle, Waits } from './throttle.ts'

/**
 * Finds the client of an id and secret.
 * @throws ServiceError UNAUTHORIZED for an unknown or disabled client and for a wrong secret, which are answered alike,
 * with `retry-after` while further attempts are refused; SERVICE_UNAVAILABLE without a database, or for too many at once.
 */
export type Authenticate = (attempt: Attempt, secret: string) => Promise<ClientRecord>

interface AuthenticateOptions {
  clients: Pick<Clients, 'find'>
  throttle: Throttle
  log: Logger
  /** Milliseconds since 1970. */
  now?: () => number
}

const blocked = (seconds: number) =>
  new ServiceError('UNAUTHORIZED', `Too many wrong secrets: try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })

const refused = () => new ServiceError('UNAUTHORIZED', 'Unknown client or wrong secret')

/** Only a failed attempt is given the network's wait: a right secret never waits for others' failures. */
const refusalFor = ({ client, unknown }: Pick<Waits, 'client' | 'unknown'>) =>
  client > 0 || unknown > 0 ? blocked(Math.max(client, unknown)) : refused()

/** Whether the secret is this client's; an unknown id takes a hash all the same, unless it has to wait. */
const matchesSecret = (record: ClientRecord | undefined, secret: string, { unknown }: Waits, now: number) => {
  if (record) return isSecretOf(record, secret, now)
  return unknown > 0 ? false : verifyNothing(secret)
}

/** Makes the function that authenticates clients. */
export function createAuthenticate({
  clients,
  throttle,
  log,
  now = Date.now,
}: AuthenticateOptions): Authenticate {
  /** Failures in this process: a success without any since its start need not check again. */
  let failures = 0
  const fail = async (attempt: Attempt, before: Waits, isKnown: boolean) => {
    const mayCount = isKnown || before.unknown === 0
    const counted = mayCount && (await throttle.failed(attempt, isKnown))
    const { address, clientId } = attempt
    log.warn(
      { address, clientId: clientId.slice(0, 128) },
      'client authentication failed: unknown id, disabled, or wrong secret',
    )
    if (counted || !mayCount) return refusalFor(before)
    const { client, unknown } = await throttle.waits(attempt)
    return refusalFor({ client: Math.max(1, client), unknown })
  }
  /** Many guesses sent at once all pass the first check; those beyond the limit are refused here. */
  const succeed = async (attempt: Attempt, before: Waits, failuresBefore: number) => {
    if (failures !== failuresBefore) {
      const { client } = await throttle.waits(attempt)
      if (client > 0) throw blocked(client)
    }
    if (before.hasFailed || failures !== failuresBefore) await throttle.succeeded(attempt)
  }
  return async (attempt, secret) => {
    const failuresBefore = failures
    const before = await throttle.waits(attempt)
    if (before.client > 0) throw blocked(before.client)
    const record = await clients.find(attempt.clientId)
    const matches = await matchesSecret(record, secret, before, now())
    if (record && matches && !record.disabledAt) {
      await succeed(attempt, before, failuresBefore)
      return record
    }
    failures += 1
    throw await fail(attempt, before, record !== undefined)
  }
}
