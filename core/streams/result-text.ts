/** The JSON text of a result, written once for all subscribers who share it. */
import type { FormattedExecutionResult } from 'graphql'

const texts = new WeakMap<FormattedExecutionResult, string>()

export const resultText = (result: FormattedExecutionResult): string => {
  const known = texts.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  texts.set(result, text)
  return text
}
