/** Known operations under a new supergraph, compiled before a client sends them: its first requests are as quick as later ones. */
import { setImmediate } from 'node:timers/promises'
import { type GraphQLSchema, parse, specifiedRules, type ValidationRule, validate } from 'graphql'
import type { CompiledOperations } from './engine.ts'
import { parseOptions } from './limits.ts'

interface Checks {
  readonly schema: GraphQLSchema
  /** Rules for operations beside GraphQL's own. */
  readonly validationRules: readonly ValidationRule[]
}

const readValid = ({ schema, validationRules }: Checks, text: string) => {
  try {
    const document = parse(text, parseOptions)
    const errors = validate(schema, document, [...specifiedRules, ...validationRules])
    return errors.length === 0 ? document : undefined
  } catch {
    return undefined
  }
}

/**
 * Plans and compiles these operations; invalid ones, and those that are not compiled, are left to the request that sends
 * them. Others are served between two of them: one takes some ten milliseconds.
 */
export async function prepareOperations(
  operations: CompiledOperations,
  checks: Checks,
  texts: Iterable<string>,
): Promise<void> {
  for (const text of texts) {
    const document = readValid(checks, text)
    if (document) operations.prepare(text, document)
    await setImmediate()
  }
}
