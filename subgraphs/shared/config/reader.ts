/** Single settings, read by their names; what is wrong with them is collected, so that all can be told at once. */

/** Environment variables. */
export type Env = Record<string, string | undefined>

/** Reads typed values and collects what is wrong with them. */
export class Reader {
  readonly faults: string[] = []
  readonly env: Env

  constructor(env: Env) {
    this.env = env
  }

  text(name: string, fallback: string): string {
    return this.env[name]?.trim() || fallback
  }

  optional(name: string): string | undefined {
    return this.env[name]?.trim() || undefined
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.optional(name)
    if (text === undefined) return fallback
    const value = Number(text)
    this.expect(
      Number.isInteger(value) && value >= min && value <= max,
      name,
      `a whole number from ${min} to ${max}`,
    )
    return value
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name)
    this.expect(text === undefined || text === '0' || text === '1', name, '0 or 1')
    return text === undefined ? fallback : text === '1'
  }

  expect(holds: boolean, name: string, what: string): void {
    if (!holds) this.faults.push(`${name} must be ${what}, not ${JSON.stringify(this.env[name] ?? '')}`)
  }
}
