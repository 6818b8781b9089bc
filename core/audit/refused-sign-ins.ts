/**
 * Refused secrets and tokens, as acts. A flood of them must not fill the log, whose rows are kept for ever: the first
 * refusal of a kind from a network is written soon, those that follow as one sum in ten minutes, and beyond a hundred
 * kinds at a time all others are summed together.
 */
import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import { networkOf } from '../values/network.ts'
import { type RecordDependencies, recordAlone } from './acts.ts'

/** A refused secret or token. */
interface Refusal {
  /** Client that a secret was tried for, if it exists. */
  readonly clientId?: string | undefined
  /** Address that it came from. */
  readonly address: string
  readonly reason: string
}

interface Sum {
  readonly clientId: string | undefined
  readonly network: string
  readonly reason: string
  count: number
  firstAt: number
  lastAt: number
  /** Time of the last row, in milliseconds since 1970. */
  writtenAt: number | undefined
}

const MAX_KINDS = 100
const WINDOW_MS = 600_000
const SWEEP_MS = 5_000
/** Time without progress after which the watchdog reports it, in milliseconds. */
const STANDSTILL_MS = 30_000
const OTHERS: Omit<Refusal, 'address'> & { readonly network: string } = {
  network: 'others',
  reason: 'More networks than are told apart',
}

/** Refusal of a token. */
interface RefusedToken {
  readonly fault: string
  readonly message: string
}

/** Faults of the tokens of honest clients. */
const HARMLESS: ReadonlySet<string> = new Set(['missing', 'expired'])

interface RefusedSignInsDependencies extends RecordDependencies {
  readonly watchdog: Watchdog
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class RefusedSignIns {
  readonly #dependencies: RefusedSignInsDependencies
  readonly #sums = new Map<string, Sum>()
  readonly #now: () => number
  readonly #worker: Worker

  constructor(dependencies: RefusedSignInsDependencies) {
    const { log, watchdog, now = Date.now } = dependencies
    this.#dependencies = dependencies
    this.#now = now
    this.#worker = createWorker({
      rounds: watchdog.over('refused sign-ins', STANDSTILL_MS),
      run: () => this.flush(),
      sweepMs: SWEEP_MS,
      onError: error => log.warn({ err: error }, 'refused sign-ins could not be recorded; tried again'),
    })
  }

  /** Counts a refused secret, or another proof of a client by its name. */
  countSecret(clientId: string | undefined, address: string, kind = 'secret'): void {
    this.#count({ clientId, address, reason: `Unknown client, disabled, or wrong ${kind}` })
  }

  /** Counts a refused token; one that is missing or has expired says nothing. */
  countToken({ fault, message }: RefusedToken, address: string): void {
    if (!HARMLESS.has(fault)) this.#count({ address, reason: message })
  }

  /** Writes the sums that are due. */
  async flush(isLast = false): Promise<void> {
    for (const [key, sum] of this.#sums) {
      const isDue = sum.writtenAt === undefined || this.#now() - sum.writtenAt >= WINDOW_MS
      if (sum.count > 0 && (isDue || isLast)) await this.#write(sum)
      else if (isDue) this.#sums.delete(key)
    }
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.flush(true)
  }

  #count({ clientId, address, reason }: Refusal): void {
    const network = networkOf(address)
    const { key, sum } = this.#find({ clientId, network, reason })
    const at = this.#now()
    if (sum.count === 0) sum.firstAt = at
    sum.count += 1
    sum.lastAt = at
    this.#sums.set(key, sum)
  }

  #find(kind: Pick<Sum, 'clientId' | 'network' | 'reason'>): { key: string; sum: Sum } {
    const own = JSON.stringify([kind.clientId, kind.network, kind.reason])
    const found = this.#sums.get(own)
    if (found) return { key: own, sum: found }
    const isNew = this.#sums.size < MAX_KINDS
    const key = isNew ? own : OTHERS.network
    const fresh = { clientId: undefined, ...(isNew ? kind : OTHERS), count: 0, firstAt: 0, lastAt: 0 }
    return { key, sum: this.#sums.get(key) ?? { ...fresh, writtenAt: undefined } }
  }

  /** Writes a sum; what is counted meanwhile belongs to the next one. */
  async #write(sum: Sum): Promise<void> {
    const { clientId, network, reason, count, firstAt, lastAt } = sum
    const [from, to] = [new Date(firstAt), new Date(lastAt)]
    await recordAlone(this.#dependencies, {
      actor: { id: '-' },
      action: 'SIGN_IN_REFUSED',
      ...(clientId !== undefined && { target: clientId }),
      details: { network, reason, count, from, to },
    })
    sum.count -= count
    sum.firstAt = this.#now()
    sum.writtenAt = this.#now()
  }
}
