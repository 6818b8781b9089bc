/**
 * Slows down the guessing of secrets without letting anyone lock another out (docs/decisions.md, "Identity and access"): a
 * client is counted by its id and network together, and ids that nobody has by their network.
 */
import { createHash } from 'node:crypto'
import { networkOf } from '../values/network.ts'
import { createOwnCounts, type FailureCounts, type FailureRule } from './failure-counts.ts'

/** Who tries: the client it says it is, and the network address it comes from. */
export interface Attempt {
  readonly clientId: string
  readonly address: string
}

/** How an attempt stands; in seconds until the next try is allowed, 0 when it is now. */
export interface Waits {
  /** For this client from this network. */
  readonly client: number
  /** For ids that nobody has, from this network. */
  readonly unknown: number
  /** Whether the client failed from this network lately. */
  readonly hasFailed: boolean
}

export interface Throttle {
  waits(attempt: Attempt): Promise<Waits>
  /** Counts a failure, unless the client is blocked already. @returns whether it was counted. */
  failed(attempt: Attempt, isKnown: boolean): Promise<boolean>
  succeeded(attempt: Attempt): Promise<void>
}

/** Consecutive failures before the first wait. */
const FREE_PER_CLIENT = 5
/** Looser, since whoever mistypes an id tries several, and many may share a network. */
const FREE_UNKNOWN = 100

/** Hashed, since ids are a stranger's text and addresses are personal data. */
const keyOf = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const rulesOf = ({ clientId, address }: Attempt) => {
  const network = networkOf(address)
  const client: FailureRule = { key: keyOf(network, clientId), free: FREE_PER_CLIENT }
  const unknown: FailureRule = { key: keyOf(network), free: FREE_UNKNOWN }
  return { client, unknown }
}

/** A success forgets the failures of its client from its network alone. */
export function createThrottle(counts: FailureCounts = createOwnCounts()): Throttle {
  return {
    async waits(attempt) {
      const { client, unknown } = rulesOf(attempt)
      const standings = await counts.read([client.key, unknown.key])
      const secondsOf = ({ key }: FailureRule) =>
        Math.ceil(Math.max(0, ...standings.filter(one => one.key === key).map(one => one.blockedMs)) / 1_000)
      return {
        client: secondsOf(client),
        unknown: secondsOf(unknown),
        hasFailed: standings.some(({ key }) => key === client.key),
      }
    },
    async failed(attempt, isKnown) {
      const { client, unknown } = rulesOf(attempt)
      const counted = await counts.fail(isKnown ? [client] : [client, unknown])
      return counted.includes(client.key)
    },
    succeeded: attempt => counts.forget(rulesOf(attempt).client.key),
  }
}
