/** What a client prefers, by its quality values (RFC 9110 §12.4.2): `br, gzip;q=0.5`. */

/** One entry of a header such as `Accept` or `Accept-Encoding`, without its other parameters. */
export interface Preference {
  /** In lower case. */
  readonly name: string
  /** From 0, which is a no, to 1. */
  readonly weight: number
}

const WEIGHT = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/

/** What is no weight says no: nothing is sent in a form that its client may not have asked for. */
const weightOf = (parameters: readonly string[]): number => {
  const text = parameters.find(parameter => parameter.startsWith('q='))
  return text === undefined ? 1 : Number(WEIGHT.exec(text)?.[1] ?? 0)
}

/** The entries in their order; none where there is no header. */
export const preferencesOf = (header: string | undefined): Preference[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map(entry => entry.split(';').map(part => part.trim()))
    .flatMap(([name = '', ...parameters]) => (name ? [{ name, weight: weightOf(parameters) }] : []))
