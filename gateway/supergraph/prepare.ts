/** Operations made ready before anyone sends them: known ones under a new supergraph, so that its first requests are as quick. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type DocumentNode,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import type { CompiledGateway } from '#engine/gateway/gateway.ts'
import { parseOptions } from './limits.ts'

export interface PrepareParts {
  readonly gateway: Pick<CompiledGateway, 'parts' | 'compile' | 'store'>
  /** What an operation must satisfy beside GraphQL's own rules. */
  readonly validationRules: readonly ValidationRule[]
}

const readValid = (
  schema: GraphQLSchema,
  text: string,
  validationRules: readonly ValidationRule[],
): DocumentNode | undefined => {
  try {
    const document = parse(text, parseOptions)
    return validate(schema, document, [...specifiedRules, ...validationRules]).length === 0
      ? document
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Plans and compiles these operations; what is not valid, or not compiled, is left to the request that sends it. Between
 * two of them others are served: one takes some ten milliseconds.
 */
export async function prepareOperations(
  { gateway, validationRules }: PrepareParts,
  texts: Iterable<string>,
): Promise<void> {
  for (const text of texts) {
    const document = readValid(gateway.parts.schema, text, validationRules)
    const compiled = document && gateway.compile(document, undefined)
    if (compiled) gateway.store.add({ text, hash: createHash('sha256').update(text).digest('hex'), compiled })
    await setImmediate()
  }
}
