/** Settings: declared by kind, default, bounds and meaning, and read from the environment as they are declared. */
import { readFileSync } from 'node:fs'

/** A setting that is a text. */
interface Text {
  readonly kind: 'text'
  readonly default?: string | undefined
  /** The values that are allowed, where they are few. */
  readonly oneOf?: readonly string[]
  /** Whether it is a secret: it may stand in a file, and no message shows it. */
  readonly isSecret?: true
}

/** A whole number with its bounds, which are allowed themselves. */
interface Integer {
  readonly kind: 'integer'
  readonly default: number
  readonly min: number
  readonly max: number
}

/** A switch, written 0 or 1. */
interface Flag {
  readonly kind: 'flag'
  readonly default?: boolean
}

export type Setting = (Text | Integer | Flag) & {
  /** The default in words, where it depends on other settings. */
  readonly otherwise?: string | undefined
  /** Meaning in one sentence or two, in Markdown. */
  readonly meaning: string
}

/** Settings by name. */
export type Declarations = Readonly<Record<string, Setting>>

/** The names of the settings of a kind. */
type NameOf<Settings extends Declarations, Kind extends Setting['kind'] = Setting['kind']> = {
  [Name in keyof Settings]: Settings[Name]['kind'] extends Kind ? Name : never
}[keyof Settings] &
  keyof Settings &
  string

/** Declares a text; one without a default may be unset. `otherwise` describes what holds then. */
export const text = (meaning: string, fallback?: string, otherwise?: string) =>
  ({ kind: 'text', default: fallback, meaning, otherwise }) as const

/** Declares a text of few values, the first of which is the default. */
export const choice = (oneOf: readonly [string, ...string[]], meaning: string) =>
  ({ kind: 'text', default: oneOf[0], oneOf, meaning }) as const

/** Declares a secret: a text that is read from the file of `<name>_FILE` too. */
export const secret = (meaning: string, otherwise?: string) =>
  ({ kind: 'text', default: undefined, isSecret: true, meaning, otherwise }) as const

/** Declares a whole number by its default and its bounds. */
export const integer = (fallback: number, [min, max]: readonly [number, number], meaning: string) =>
  ({ kind: 'integer', default: fallback, min, max, meaning }) as const

/** Declares a switch. */
export const flag = (fallback: boolean, meaning: string) =>
  ({ kind: 'flag', default: fallback, meaning }) as const

/** The largest file that a secret is read from, in bytes: more is another file by mistake. */
const MAX_SECRET_FILE = 65_536

const readSecretFile = (path: string): string => {
  const bytes = readFileSync(path)
  if (bytes.length > MAX_SECRET_FILE) throw new Error('it is larger than 64 KiB')
  return bytes.toString('utf8').trim()
}

/** Environment variables. */
export type Env = Record<string, string | undefined>

/** Reads typed values. A faulty one is recorded in `faults`, so that all are reported at once, and its fallback returned. */
export class EnvReader<Settings extends Declarations> {
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

  /** Reads a text that has no default of its own; a secret may stand in a file instead. */
  optional(name: keyof Settings & string): string | undefined {
    const value = this.env[name]?.trim() || undefined
    return this.#isSecret(name) ? this.#secret(name, value) : value
  }

  #isSecret(name: string): boolean {
    const setting = this.#settings[name]
    return setting?.kind === 'text' && setting.isSecret === true
  }

  #secret(name: string, value: string | undefined): string | undefined {
    const path = this.env[`${name}_FILE`]?.trim()
    if (!path) return value
    if (value !== undefined) {
      this.faults.push(`${name} and ${name}_FILE must not both be set`)
      return value
    }
    try {
      const content = readSecretFile(path)
      if (content === '')
        this.faults.push(`${name}_FILE must name a file with the value in it: ${path} is empty`)
      return content || undefined
    } catch (error) {
      this.faults.push(`${name}_FILE must name a file that can be read: ${(error as Error).message}`)
      return undefined
    }
  }

  /** Reads a comma-separated list. */
  list(name: keyof Settings & string, fallback = ''): string[] {
    const parts = (this.optional(name) ?? fallback).split(',').map(part => part.trim())
    return parts.filter(Boolean)
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

  /** Records a fault unless the condition holds; `what` is the clause after "must be". */
  expect(holds: boolean, name: keyof Settings & string, what: string): void {
    if (holds) return
    const sent = this.#isSecret(name) ? '' : `, not ${JSON.stringify(this.env[name] ?? '')}`
    this.faults.push(`${name} must be ${what}${sent}`)
  }
}

/** `ledger or http`, or `one of a, b, c` of more than two. */
const inWords = (values: readonly string[]): string =>
  values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')
