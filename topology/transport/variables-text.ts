/** The JSON text of an operation's variables: written once, though it is both what is sent and what tells two reads apart. */

type Variables = Readonly<Record<string, unknown>>

const NONE: Variables = {}
const texts = new WeakMap<Variables, string>()

export function variablesText(variables: Variables = NONE): string {
  const text = texts.get(variables) ?? JSON.stringify(variables)
  texts.set(variables, text)
  return text
}
