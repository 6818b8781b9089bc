/** Faults of the simulator, chosen at `/faults` or in the environment (docs/connectors.md). */
import type { OrderBody } from './book.ts'

/** The calls of the protocol. */
export const CALLS = ['submit', 'inquire', 'capture', 'cancel', 'reverse'] as const
export type Call = (typeof CALLS)[number]

/** Faults on the wire. */
export const WIRE_FAULTS = [
  /** Responds `ms` later. */
  'latency',
  /** Responds with 500 (or `status`), and executes nothing. */
  'error',
  /** Executes the order, and responds with 500 (or `status`). */
  'error-after',
  /** Executes nothing, and never responds. */
  'hang',
  /** Cuts the connection before the order has arrived. */
  'cut',
  /** Cuts the connection after the order was executed. */
  'lost',
  /** Executes the order, and responds after `ms`. */
  'late',
  /** Cuts the connection; the order arrives `ms` later. */
  'later',
  /** Executes the order, and responds with a page. */
  'nonsense',
  /** Executes the order, and responds with the state of another one. */
  'other',
  /** Executes the order, and responds with far too long a text. */
  'endless',
  /** Redirects to another address. */
  'redirect',
  /** Responds with 429 and `Retry-After` of `ms`. */
  'throttle',
  /** Has the order arrive twice at the same time. */
  'twice',
] as const

/** Faults in the outcome of an order. */
export const DECISIONS = [
  /** Reports `pending`, executes the order `ms` later, and reports that by so many callbacks (`callbacks`, 1). */
  'pending',
  /** Reports `reserved` until the order is captured. */
  'reserve',
  'decline',
  /** Executes the order, but books it on the account, whatever it names. */
  'misbook',
] as const

export type FaultName = (typeof WIRE_FAULTS)[number] | (typeof DECISIONS)[number]

export interface Fault {
  readonly fault: FaultName
  /** Calls that it concerns; the one that sends an order unless given. */
  readonly on?: readonly Call[]
  /** Share of matching calls that it happens to, from 0 to 1. */
  readonly share?: number
  /** Most times that it happens. */
  readonly times?: number
  readonly ms?: number
  readonly status?: number
  readonly reason?: string
  readonly callbacks?: number
  /** Fields of the orders that it concerns. */
  readonly order?: OrderBody
  /** Amount or points above which it happens. */
  readonly above?: number
}

const NAMES: readonly string[] = [...WIRE_FAULTS, ...DECISIONS]

const isNumber = (value: unknown) => value === undefined || (typeof value === 'number' && value >= 0)

const isFault = (value: unknown): value is Fault => {
  if (typeof value !== 'object' || value === null) return false
  const { fault, on, share, times, ms, status, callbacks, above } = value as Fault
  const areCalls = on === undefined || (Array.isArray(on) && on.every(call => CALLS.includes(call)))
  return NAMES.includes(fault) && areCalls && [share, times, ms, status, callbacks, above].every(isNumber)
}

/**
 * Checks a list of faults.
 * @throws Error for any other value.
 */
export function checkFaults(value: unknown): readonly Fault[] {
  if (!Array.isArray(value) || !value.every(isFault))
    throw new Error(`faults are a list of objects, each with a "fault" of ${NAMES.join(', ')}`)
  return value
}

const worthOf = ({ amount, points }: OrderBody) => Number(amount ?? points ?? 0)

export class Faults {
  #faults: readonly Fault[] = []
  readonly #left = new Map<Fault, number>()

  get all(): readonly Fault[] {
    return this.#faults
  }

  set(faults: readonly Fault[]): void {
    this.#faults = faults
    this.#left.clear()
  }

  /** Picks the first of the named faults that happens to this call. */
  pick(names: readonly FaultName[], call: Call, order: OrderBody): Fault | undefined {
    const found = this.#faults.find(one => names.includes(one.fault) && this.#holds(one, call, order))
    if (found?.times !== undefined) this.#left.set(found, this.#leftOf(found) - 1)
    return found
  }

  #leftOf(fault: Fault): number {
    return this.#left.get(fault) ?? fault.times ?? 1
  }

  #holds(fault: Fault, call: Call, order: OrderBody): boolean {
    const { on = ['submit'], share = 1, order: wanted = {}, above } = fault
    const fits = Object.entries(wanted).every(([name, value]) => order[name] === value)
    const isAbove = above === undefined || worthOf(order) > above
    return on.includes(call) && fits && isAbove && this.#leftOf(fault) > 0 && Math.random() < share
  }
}
