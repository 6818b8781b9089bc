/** Reads single settings as they are declared, and collects their faults so that all can be reported at once. */
import type { Declarations, NameOf } from './setting.ts'

/** Environment variables. */
export type Env = Record<string, string | undefined>

/** Reads typed values. A faulty one is noted in `faults`, and its fallback returned. */
export class Reader<Settings extends Declarations> {
  readonly faults: string[] = []
  readonly env: Env
  readonly #settings: Declarations

  constructor(env: Env, settings: Settings) {
    this.env = env
    this.#settings = settings
  }

  /** Reads a text; one of few values is checked against them. The declared default stands in for an empty one. */
  text(name: NameOf<Settings, 'text'>, fallback = String(this.#settings[name]!.default ?? '')): string {
    const value = this.optional(name) ?? fallback
    const { oneOf } = this.#settings[name]! as { oneOf?: readonly string[] }
    if (oneOf) this.expect(oneOf.includes(value), name, inWords(oneOf))
    return value
  }

  /** Reads a text that has no default of its own. */
  optional(name: keyof Settings & string): string | undefined {
    return this.env[name]?.trim() || undefined
  }

  /** Reads a whole number within its declared bounds. */
  integer(name: NameOf<Settings, 'integer'>, fallback = Number(this.#settings[name]!.default)): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const { min, max } = this.#settings[name]! as { min: number; max: number }
    const value = Number(text)
    this.expect(
      Number.isInteger(value) && value >= min && value <= max,
      name,
      `a whole number from ${min} to ${max}`,
    )
    return value
  }

  /** Reads a switch. */
  flag(name: NameOf<Settings, 'flag'>, fallback = Boolean(this.#settings[name]!.default)): boolean {
    const text = this.optional(name)
    this.expect(text === undefined || text === '0' || text === '1', name, '0 or 1')
    return text === undefined ? fallback : text === '1'
  }

  /** Notes a fault unless the condition holds; `what` says what the setting must be. */
  expect(holds: boolean, name: keyof Settings & string, what: string): void {
    if (!holds) this.faults.push(`${name} must be ${what}, not ${JSON.stringify(this.env[name] ?? '')}`)
  }
}

/** `ledger or http`, or `one of a, b, c` of more than two. */
const inWords = (values: readonly string[]): string =>
  values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
