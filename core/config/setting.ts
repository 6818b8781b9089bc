/** How a setting is declared: its kind, its default, its bounds and its meaning. */

/** A setting that is a text. */
interface Text {
  readonly kind: 'text'
  readonly default?: string | undefined
  /** The values that are allowed, where they are few. */
  readonly oneOf?: readonly string[]
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
  /** One sentence or two, in Markdown. */
  readonly meaning: string
}

/** Settings by name. */
export type Declarations = Readonly<Record<string, Setting>>

/** The names of the settings of a kind. */
export type NameOf<Settings extends Declarations, Kind extends Setting['kind'] = Setting['kind']> = {
  [Name in keyof Settings]: Settings[Name]['kind'] extends Kind ? Name : never
}[keyof Settings] &
  keyof Settings &
  string

/** Declares a text; one without a default may be unset. `otherwise` says in words what holds then. */
export const text = (meaning: string, fallback?: string, otherwise?: string) =>
  ({ kind: 'text', default: fallback, meaning, otherwise }) as const

/** Declares a text of few values, the first of which is the default. */
export const choice = (oneOf: readonly [string, ...string[]], meaning: string) =>
  ({ kind: 'text', default: oneOf[0], oneOf, meaning }) as const

/** Declares a whole number by its default and its bounds. */
export const integer = (fallback: number, [min, max]: readonly [number, number], meaning: string) =>
  ({ kind: 'integer', default: fallback, min, max, meaning }) as const

/** Declares a switch. */
export const flag = (fallback: boolean, meaning: string) =>
  ({ kind: 'flag', default: fallback, meaning }) as const
