/** Several faults of one input told at once: in REST as one message, in the graph as one error each. */
import { invalidField, ServiceError } from './catalogue.ts'
import type { Reason } from './reasons.ts'

/** What a form shows, and no more: a hostile body must not be answered by a response much longer than itself. */
const MAX_FAULTS = 20
const MAX_CHARACTERS = 4_000

/** The first, and as many after it as are told. */
function firstOf(faults: readonly ServiceError[]): readonly ServiceError[] {
  let characters = 0
  for (const [index, { message }] of faults.entries()) {
    characters += message.length
    if (index > 0 && (index === MAX_FAULTS || characters > MAX_CHARACTERS)) return faults.slice(0, index)
  }
  return faults
}

const messageOf = (faults: readonly ServiceError[]): string => {
  const told = firstOf(faults)
  const message = told.map(fault => fault.message).join('; ')
  return faults.length > told.length ? `${message}; and ${faults.length - told.length} more` : message
}

/** Several refusals; the first stands for all where only one can. */
export class CombinedError extends ServiceError {
  readonly faults: readonly ServiceError[]

  constructor(faults: readonly ServiceError[]) {
    const { code, status, headers, field, extensions } = faults[0]!
    super(code, messageOf(faults), { status, headers, field, extensions })
    this.faults = faults
  }
}

/** The refusals that one is made of. */
export const faultsOf = (error: ServiceError): readonly ServiceError[] =>
  error instanceof CombinedError ? error.faults : [error]

/** The refusals as one, in their order; undefined when there is none. */
export const combine = (refusals: readonly ServiceError[]): ServiceError | undefined => {
  const faults = refusals.flatMap(faultsOf)
  return faults.length > 1 ? new CombinedError(faults) : faults[0]
}

/** The failures that one stands for, each to be told by itself, as many of them as are told. */
export const oneByOne = (error: ServiceError): readonly ServiceError[] => firstOf(faultsOf(error))

/** Whether a refusal is about what was sent, be it a value, a number or an amount. */
export const isOfInput = ({ code }: ServiceError): boolean =>
  code === 'INVALID_ARGUMENT' || code.startsWith('CARRIER_BILLING.')

/** Collects what independent rules refuse, so that a client learns of all of it at once. */
export class Faults {
  readonly #found: ServiceError[] = []

  /** Kept is what refuses the input; what does not work is told at once and alone. */
  #keep(error: unknown): undefined {
    if (!(error instanceof ServiceError) || !isOfInput(error)) throw error
    this.#found.push(error)
  }

  /** Whether something was refused. */
  get any(): boolean {
    return this.#found.length > 0
  }

  /** Adds what was refused elsewhere. */
  add(refusals: readonly ServiceError[]): void {
    this.#found.push(...refusals)
  }

  /** The result of a rule; undefined when it refuses. */
  check<T>(rule: () => T): T | undefined {
    try {
      return rule()
    } catch (error) {
      return this.#keep(error)
    }
  }

  /** The same of a rule that looks something up. */
  async lookUp<T>(rule: () => Promise<T>): Promise<T | undefined> {
    try {
      return await rule()
    } catch (error) {
      return this.#keep(error)
    }
  }

  /** Refuses a field unless it is as it must be. */
  expect(holds: boolean, field: string, reason: Reason, what: string): void {
    if (!holds) this.#found.push(invalidField(field, reason, `must be ${what}`))
  }

  /** @throws ServiceError with everything that was refused. */
  throwAny(): void {
    const refusal = combine(this.#found)
    if (refusal) throw refusal
  }
}

/** Checks rules that do not depend on each other; their refusals are thrown as one. */
export function together<T>(check: (faults: Faults) => T): T {
  const faults = new Faults()
  const result = check(faults)
  faults.throwAny()
  return result
}
