/** Several faults of one input, reported at once: in REST as one message, in the graph as one error each. */
import type { FormattedExecutionResult } from 'graphql'
import { asServiceError, invalidField, ServiceError, toGraphQL } from './catalogue.ts'
import type { Reason } from './reasons.ts'

/**
 * Most faults that are reported: enough for a form to show; a hostile body must not cause a response much longer than
 * itself.
 */
const MAX_FAULTS = 20
const MAX_CHARACTERS = 4_000

/** Selects the first fault, and as many after it as are reported. */
function firstOf(faults: readonly ServiceError[]): readonly ServiceError[] {
  let characters = 0
  for (const [index, { message }] of faults.entries()) {
    characters += message.length
    if (index > 0 && (index === MAX_FAULTS || characters > MAX_CHARACTERS)) return faults.slice(0, index)
  }
  return faults
}

const messageOf = (faults: readonly ServiceError[]): string => {
  const reported = firstOf(faults)
  const message = reported.map(fault => fault.message).join('; ')
  return faults.length > reported.length ? `${message}; and ${faults.length - reported.length} more` : message
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

/** The single refusals of a combined one. */
export const faultsOf = (error: ServiceError): readonly ServiceError[] =>
  error instanceof CombinedError ? error.faults : [error]

/** Combines refusals in their order; undefined when there is none. */
export const combine = (refusals: readonly ServiceError[]): ServiceError | undefined => {
  const faults = refusals.flatMap(faultsOf)
  return faults.length > 1 ? new CombinedError(faults) : faults[0]
}

/** The failures of a combined one to report one by one, as many as are reported. */
export const oneByOne = (error: ServiceError): readonly ServiceError[] => firstOf(faultsOf(error))

/** Whether a refusal is about the input: a value, a number or an amount. */
export const isOfInput = ({ code }: ServiceError): boolean =>
  code === 'INVALID_ARGUMENT' || code.startsWith('CARRIER_BILLING.')

/** Collects the refusals of independent rules, so that a client learns of all of them at once. */
export class Faults {
  readonly #found: ServiceError[] = []

  /** Keeps a refusal of the input; any other failure is thrown at once and alone. */
  #keep(error: unknown): undefined {
    if (!(error instanceof ServiceError) || !isOfInput(error)) throw error
    this.#found.push(error)
  }

  /** Whether any rule has refused. */
  get any(): boolean {
    return this.#found.length > 0
  }

  /** Adds refusals of other collections. */
  add(refusals: readonly ServiceError[]): void {
    this.#found.push(...refusals)
  }

  /** Runs a rule. @returns its result; undefined when it refuses. */
  check<T>(rule: () => T): T | undefined {
    try {
      return rule()
    } catch (error) {
      return this.#keep(error)
    }
  }

  /** Runs an asynchronous rule, likewise. */
  async lookUp<T>(rule: () => Promise<T>): Promise<T | undefined> {
    try {
      return await rule()
    } catch (error) {
      return this.#keep(error)
    }
  }

  /** Refuses a field unless the condition holds. */
  expect(holds: boolean, field: string, reason: Reason, what: string): void {
    if (!holds) this.#found.push(invalidField(field, reason, `must be ${what}`))
  }

  /** @throws ServiceError with all refusals. */
  throwAny(): void {
    const refusal = combine(this.#found)
    if (refusal) throw refusal
  }
}

/** Runs rules that do not depend on each other, and throws their refusals as one. */
export function together<T>(check: (faults: Faults) => T): T {
  const faults = new Faults()
  const result = check(faults)
  faults.throwAny()
  return result
}

/** The result of an operation that failed as a whole, with codes of the catalogue alone. */
export const failedResult = (error: unknown): FormattedExecutionResult => ({
  errors: oneByOne(asServiceError(error)).map(fault => toGraphQL(fault).toJSON()),
})
