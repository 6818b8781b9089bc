/** Orders of the simulator: each is executed once, however often it comes. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { readDocument } from '#core/contract/openapi.ts'
import type { Book, Entry, OrderBody, Outcome } from './book.ts'
import { type Call, DECISIONS, type Fault, type Faults } from './faults.ts'

const DEFAULT_PENDING_MS = 1_000

/** Refusal of a request, with the protocol's `Fault`. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const FIELDS = ['operation', 'accountNumber', 'mobileNumber', 'amount', 'currency', 'points']

/** Schemas of the document by the operation that an order names. */
const readKinds = (): Readonly<Record<string, string>> =>
  (
    readDocument('charging').components['schemas']!['Order'] as {
      discriminator: { mapping: Record<string, string> }
    }
  ).discriminator.mapping

const createCheck = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(readDocument('charging'), 'charging')
  const checks = new Map(
    Object.entries(readKinds()).map(([operation, schema]) => [
      operation,
      ajv.compile({ $ref: `charging${schema}` }),
    ]),
  )
  return (body: unknown): string | undefined => {
    const operation = (body as { operation?: unknown } | undefined)?.operation
    const check = typeof operation === 'string' ? checks.get(operation) : undefined
    if (!check) return `operation must be ${[...checks.keys()].join(', ')}`
    return check(body) ? undefined : ajv.errorsText(check.errors, { dataVar: String(operation) })
  }
}

let check: ReturnType<typeof createCheck> | undefined

/** Reads what arrived, by the document alone. @throws Refusal 400 naming every member that is missing or wrong. */
export function readOrder(body: unknown): OrderBody {
  check ??= createCheck()
  const fault = check(body)
  if (fault) throw new Refusal(400, 'INVALID_ORDER', `schema/charging.openapi.yaml: ${fault}`)
  return Object.fromEntries(Object.entries(body as OrderBody).filter(([name]) => FIELDS.includes(name)))
}

const isSame = (one: OrderBody, other: OrderBody) => FIELDS.every(name => one[name] === other[name])

/** Decides on an order as the chosen faults say: it is executed for good, reserved, or refused. */
const decide = (transactionId: string, order: OrderBody, decision: Fault | undefined): Entry => {
  const entry = (outcome: Outcome, more: Partial<Entry> = {}): Entry => ({
    transactionId,
    order,
    outcome,
    carriedOut: outcome === 'done' ? 1 : 0,
    ...(decision?.fault === 'misbook' && { bookedOn: 'accountNumber' as const }),
    ...more,
  })
  if (decision?.fault === 'decline')
    return entry('declined', { reason: decision.reason ?? 'It was declined by the simulator' })
  if (decision?.fault === 'reserve') return entry('reserved')
  if (decision?.fault !== 'pending') return entry('done')
  const at = Date.now() + (decision.ms ?? DEFAULT_PENDING_MS)
  return entry('pending', { due: { at, callbacks: decision.callbacks ?? 1 } })
}

const carryOut = (entry: Entry): Entry => ({
  ...entry,
  outcome: 'done',
  carriedOut: entry.carriedOut + 1,
  due: undefined,
})

interface OrdersDependencies {
  readonly book: Book
  readonly faults: Faults
  /** Called when a pending order was executed. */
  onDone(entry: Entry, times: number): void
}

export class Orders {
  readonly #parts: OrdersDependencies
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #arrivals = new Map<string, number>()

  constructor(parts: OrdersDependencies) {
    this.#parts = parts
    for (const entry of parts.book.list()) this.#schedule(entry)
  }

  /**
   * Takes an order.
   * @throws Refusal 409 for another order with the same id.
   */
  async put(id: string, order: OrderBody): Promise<Entry> {
    this.#arrivals.set(id, this.arrivalsOf(id) + 1)
    const entry = await this.#parts.book.update(id, before => {
      if (!before) return decide(id, order, this.#parts.faults.pick(DECISIONS, 'submit', order))
      const isCancelledUnseen = Object.keys(before.order).length === 0
      if (!isCancelledUnseen && !isSame(before.order, order))
        throw new Refusal(409, 'ORDER_DIFFERS', 'there is another order of this id')
      return before
    })
    this.#schedule(entry)
    return entry
  }

  /**
   * Finds an order.
   * @throws Refusal 404 for one that never arrived.
   */
  get(id: string): Entry {
    return this.#known(this.#parts.book.get(id))
  }

  capture(id: string): Promise<Entry> {
    return this.#parts.book.update(id, before => {
      const entry = this.#known(before)
      return entry.outcome === 'reserved' ? carryOut(entry) : entry
    })
  }

  cancel(id: string): Promise<Entry> {
    return this.#parts.book.update(id, before => {
      const cancelled = { outcome: 'cancelled', reason: 'It was given up' } as const
      if (!before) return { transactionId: id, order: {}, carriedOut: 0, ...cancelled }
      const isOpen = before.outcome === 'pending' || before.outcome === 'reserved'
      return isOpen ? { ...before, ...cancelled, due: undefined } : before
    })
  }

  reverse(id: string): Promise<Entry> {
    return this.#parts.book.update(id, before => {
      const entry = this.#known(before)
      return entry.outcome === 'done' ? { ...entry, outcome: 'reversed' } : entry
    })
  }

  /** Body of an order, by which faults are chosen; empty for an unknown order. */
  bodyOf(id: string): OrderBody {
    return this.#parts.book.get(id)?.order ?? {}
  }

  /** Number of times that an order was sent to this process. */
  arrivalsOf(id: string): number {
    return this.#arrivals.get(id) ?? 0
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  #known(entry: Entry | undefined): Entry {
    if (!entry) throw new Refusal(404, 'ORDER_UNKNOWN', 'there is no order of this id')
    return entry
  }

  /** Sets the time at which a pending order is executed, also after a restart. */
  #schedule({ transactionId: id, due }: Entry): void {
    if (!due || this.#timers.has(id)) return
    const timer = setTimeout(() => void this.#finish(id, due.callbacks), Math.max(0, due.at - Date.now()))
    this.#timers.set(id, timer)
  }

  async #finish(id: string, callbacks: number): Promise<void> {
    this.#timers.delete(id)
    const entry = await this.#parts.book.update(id, before =>
      before!.outcome === 'pending' ? carryOut(before!) : before!,
    )
    this.#parts.onDone(entry, callbacks)
  }
}

/** Effects of the protocol's calls on an order. */
export const performing = (
  orders: Orders,
  id: string,
  order: OrderBody,
): Record<Call, () => Promise<Entry>> => ({
  submit: () => orders.put(id, order),
  inquire: async () => orders.get(id),
  capture: () => orders.capture(id),
  cancel: () => orders.cancel(id),
  reverse: () => orders.reverse(id),
})
