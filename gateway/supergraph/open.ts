/** Opens the supergraph, checks the trusted documents against it, and watches for its next version. */

import { buildSchema, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql'
import { ConfigError } from '#core/config/config.ts'
import type { App } from '#core/context/app.ts'
import type { ServerContext } from '#core/create-server.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { checkOperationText } from '#core/graph/operation-limits.ts'
import type { Locale } from '#core/graph/scalars.ts'
import { labelDefers } from '../deferral/directive.ts'
import type { AnswerOrRepeat } from '../operation/stored-answers.ts'
import type { TrustedDocument, TrustedDocuments } from '../operation/trusted-documents.ts'
import type { TransportResolver } from '../transport/transport.ts'
import { limits, limitValueDepth, parseOptions } from './cost.ts'
import { teachScalars } from './gateway.ts'
import { type SupergraphSource, watchSupergraph } from './source.ts'
import { createSupergraphManager, type SupergraphManager } from './version.ts'

export interface SupergraphOptions {
  readonly supergraph: SupergraphSource
  /** Finds the transports of the subgraphs. */
  readonly resolve: TransportResolver
  /** Answers operations as before where they may be; every one is executed unless given. */
  readonly answerOrRepeat?: AnswerOrRepeat
}

/** Makes the function that turns a failure into a SetupError of one line: the message of a library may fill pages. */
const asFault = (what: string) => (error: Error) => {
  const [why] = (error.message || error.name).split('\n')
  throw new SetupError(`${what}: ${why}`, { cause: error })
}

/**
 * Loads the supergraph, and watches its source until the server stops.
 * @throws SetupError when it cannot be read or served, or when the documents do not fit it.
 */
export async function openSupergraph(
  { app, resources }: ServerContext,
  { supergraph, resolve }: SupergraphOptions,
  documents: TrustedDocuments,
): Promise<SupergraphManager> {
  const name = app.config.supergraph ?? 'schema/supergraph.graphql'
  const first = await supergraph.read().catch(asFault(`SUPERGRAPH ${name} cannot be read`))
  const known = [...documents].map(({ text }) => text)
  const manager = await createSupergraphManager(app, resolve, first, known).catch(
    asFault(`SUPERGRAPH ${name} cannot be served`),
  )
  resources.add({ name: 'supergraph', stop: manager.stop })
  requireFit(documents, manager.current().apiSchema, app.config)
  const replace = async (sdl: string) => {
    await manager.replace(sdl)
    warnOfUnfit(documents, manager.current().apiSchema, app)
  }
  const unwatch = watchSupergraph(supergraph, first, { replace, log: app.log, watchdog: app.watchdog })
  resources.add({ name: 'supergraph source', stop: unwatch })
  return manager
}

/** Rules of a client's operation that do not depend on its variables. */
const RULES = [...specifiedRules, ...limits().validationRules, limitValueDepth, labelDefers]

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
 * Requires all trusted documents to fit the supergraph with this API schema.
 * @throws ConfigError naming each that does not, and why.
 */
function requireFit(documents: TrustedDocuments, apiSchema: () => string, locale: Locale): void {
  const faults = unfitAmong(documents, apiSchema, locale).map(
    ({ document, why }) => `TRUSTED_DOCUMENTS ${nameOf(document)} does not fit the supergraph: ${why}`,
  )
  if (faults.length > 0) throw new ConfigError(faults)
}

/** Warns of each trusted document that does not fit; clients that send it are refused, as with any invalid operation. */
function warnOfUnfit(
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
