/** All that is wrong with an input, told at once: one line each. */
import { invalid, ServiceError } from '../errors/catalogue.ts'

export class Faults {
  readonly #lines: string[] = []

  /** What `read` makes of it; undefined, and noted, where it says INVALID_ARGUMENT. */
  read<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'INVALID_ARGUMENT') throw error
      this.#lines.push(error.message)
      return undefined
    }
  }

  expect(holds: boolean, path: string, what: string): void {
    if (!holds) this.#lines.push(`${path} must be ${what}`)
  }

  /** @throws ServiceError INVALID_ARGUMENT with all that was noted. */
  end(): void {
    if (this.#lines.length > 0) throw invalid(this.#lines.join('\n'))
  }
}
