/** Faults of the simulator, chosen at `/faults` or in the environment (docs/connectors.md). */
import type { OrderBody } from './book.ts'

/** The calls of the protocol. */
export const CALLS = ['submit', 'inquire', 'capture', 'cancel', 'reverse'] as const
export type Call = (typeof CALLS)[number]

/** Faults on the wire. */
export const WIRE_FAULTS = [
  /** The answer takes `ms` longer. */
  'latency',
  /** 500 (or `status`), and nothing was done. */
  'error',
  /** It was done, and 500 (or `status`) is answered. */
  'error-after',
  /** Nothing is done, and no answer ever comes. */
  'hang',
  /** The connection is cut before the order arrived. */
  'cut',
  /** The connection is cut after the order was carried out. */
  'lost',
  /** The order was carried out, and the answer comes after `ms`. */
  'late',
  /** The connection is cut, and the order arrives `ms` later. */
  'later',
  /** It was done, and the answer is a page. */
  'nonsense',
  /** It was done, and the answer is that of another order. */
  'other',
  /** It was done, and the answer is far too long. */
  'endless',
  /** It leads elsewhere. */
  'redirect',
  /** 429 with `Retry-After` of `ms`. */
  'throttle',
  /** The order arrives twice at the same time. */
  'twice',
] as const

/** Faults in the outcome of an order. */
export const DECISIONS = [
  /** `pending`, and done `ms` later; told so often by a callback (`callbacks`, 1). */
  'pending',
  /** `reserved` until it is captured. */
  'reserve',
  'decline',
  /** Carried out, but booked on the account, whatever is asked for. */
  'misbook',
] as const

export type FaultName = (typeof WIRE_FAULTS)[number] | (typeof DECISIONS)[number]

export interface Fault {
  readonly fault: FaultName
  /** For which calls; only when an order is sent, when absent. */
  readonly on?: readonly Call[]
  /** How often of those that match, from 0 to 1. */
  readonly share?: number
  /** How many times, then no more. */
  readonly times?: number
  readonly ms?: number
  readonly status?: number
  readonly reason?: string
  readonly callbacks?: number
  /** Only for orders with these fields. */
  readonly order?: OrderBody
  /** Only for amounts, or points, above this one. */
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

/** @throws Error where it is no list of faults. */
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

  /** The first that holds for this call, of those with these names. */
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
