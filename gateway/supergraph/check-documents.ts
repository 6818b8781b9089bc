/** Whether trusted documents fit a supergraph: at the start all have to, under a later one those that do not are named. */
import { buildSchema, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { ConfigError } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import { checkOperationText } from '#core/graph/documents.ts'
import type { Locale } from '#core/graph/scalars.ts'
import type { TrustedDocument, TrustedDocuments } from '../operation/trusted-documents/documents.ts'
import { limits, parseOptions } from './limits.ts'
import { teachScalars } from './scalars.ts'
import { limitValueDepth } from './value-depth.ts'

/** The same that an operation of a client is held against, but for what depends on its variables. */
const RULES = [...specifiedRules, ...limits().validationRules, limitValueDepth]

const faultOf = (schema: GraphQLSchema, text: string): string | undefined => {
  try {
    checkOperationText(text)
    return validate(schema, parse(text, parseOptions), RULES)[0]?.message
  } catch (error) {
    return (error as Error).message
  }
}

interface Unfit {
  readonly document: TrustedDocument
  readonly why: string
}

const unfitAmong = (documents: TrustedDocuments, apiSchema: () => string, locale: Locale): Unfit[] => {
  const all = [...documents]
  if (all.length === 0) return []
  const schema = teachScalars(buildSchema(apiSchema()), locale)
  return all.flatMap(document => {
    const why = faultOf(schema, document.text)
    return why === undefined ? [] : [{ document, why }]
  })
}

const nameOf = ({ id, operationName }: TrustedDocument): string =>
  operationName ? `${operationName} (${id})` : id

/**
 * Wants all of them to fit the supergraph with this API schema.
 * @throws ConfigError naming each that does not, and why.
 */
export function requireFit(documents: TrustedDocuments, apiSchema: () => string, locale: Locale): void {
  const faults = unfitAmong(documents, apiSchema, locale).map(
    ({ document, why }) => `TRUSTED_DOCUMENTS ${nameOf(document)} does not fit the supergraph: ${why}`,
  )
  if (faults.length > 0) throw new ConfigError(faults)
}

/** Warns of each that does not fit. Nothing else keeps it from being executed: it is refused like every operation that is not valid. */
export function warnOfUnfit(
  documents: TrustedDocuments,
  apiSchema: () => string,
  { config, log }: Pick<App, 'config' | 'log'>,
): void {
  for (const { document, why } of unfitAmong(documents, apiSchema, config))
    log.warn(
      { document: nameOf(document), why },
      'a trusted document does not fit the new supergraph, and is refused',
    )
}
