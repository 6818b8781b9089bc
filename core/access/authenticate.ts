/** Client authentication by id and secret (RFC 6749 §2.3.1), slowed down for those who guess. */
import { ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { isSecretOf } from './client-secret.ts'
import type { ClientRecord, Clients } from './clients.ts'
import { verifyNothing } from './secret-hash.ts'
import type { Attempt, Throttle, Waits } from './throttle.ts'

/**
 * The client whose secret this is. Unknown, disabled or wrong, which are answered alike: ServiceError UNAUTHORIZED, with
 * `retry-after` while further tries are refused. Database away or too many at once: SERVICE_UNAVAILABLE.
 */
export type Authenticate = (attempt: Attempt, secret: string) => Promise<ClientRecord>

interface Parts {
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

/** Only who proves nothing is told of the network's wait: a right secret never waits for others' failures. */
const refusalFor = ({ client, unknown }: Pick<Waits, 'client' | 'unknown'>) =>
  client > 0 || unknown > 0 ? blocked(Math.max(client, unknown)) : refused()

/** Whether the secret is this client's; where nobody has the id, a hash is made all the same, unless it has to wait. */
const matchesSecret = (record: ClientRecord | undefined, secret: string, { unknown }: Waits, now: number) => {
  if (record) return isSecretOf(record, secret, now)
  return unknown > 0 ? false : verifyNothing(secret)
}

/** Makes the function that authenticates clients. */
export function createAuthenticate({ clients, throttle, log, now = Date.now }: Parts): Authenticate {
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
  /** Many guesses sent at once all pass the first look; those beyond the limit learn nothing here. */
  const succeed = async (attempt: Attempt, before: Waits, failuresBefore: number) => {
    if (failures !== failuresBefore) {
      const { client } = await throttle.waits(attempt)
      if (client > 0) throw blocked(client)
    }
    if (before.hasFailed || failures !== failuresBefore) await throttle.succeeded(attempt)
  }
  /** In this process: a success that saw none from its beginning need not look again. */
  let failures = 0
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
