/**
 * Names of clients' variables. A client may choose any name. Where a plan has a variable of the same name, in each entity fetch
 * or each resumed subscription, the client's is renamed while its operation is planned and executed; errors show its own name.
 */
import { type DocumentNode, Kind, visit } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** Variable with the start of a stream, in operations for subgraphs. */
export const AFTER = 'partnerGraphAfter'

/** Names of a plan's own variables: of entity fetches (`_entities(representations:)`), and of the start of a stream. */
const RESERVED: ReadonlySet<string> = new Set(['representations', AFTER])

/** Operation as it is planned. */
export interface PlannedNames {
  readonly document: DocumentNode
  /** Gives the client's variables the names of the plan. */
  toPlanned<Given extends Variables | undefined>(variables: Given): Given
  /** Gives errors the client's names again; they are changed in place. */
  restoreNames<Errors extends readonly unknown[] | undefined>(errors: Errors): Errors
}

/** Names of an operation without a clash, as nearly all are. */
const unchanged = (document: DocumentNode): PlannedNames => ({
  document,
  toPlanned: variables => variables,
  restoreNames: errors => errors,
})

const namesIn = (document: DocumentNode): Set<string> => {
  const names = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    for (const { variable } of definition.variableDefinitions ?? []) names.add(variable.name.value)
  }
  return names
}

/** Finds a name that no variable of the document has. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let free = `${name}OfClient`
  while (taken.has(free)) free += '_'
  return free
}

const renameAll = (document: DocumentNode, renamed: ReadonlyMap<string, string>): DocumentNode =>
  visit(document, {
    Variable(node) {
      const value = renamed.get(node.name.value)
      return value === undefined ? undefined : { ...node, name: { ...node.name, value } }
    },
  })

const restoreEach = (errors: readonly unknown[], renamed: ReadonlyMap<string, string>): void => {
  for (const error of errors) {
    if (!(error instanceof Error)) continue
    for (const [own, planned] of renamed)
      error.message = error.message.replaceAll(`$${planned}`, () => `$${own}`)
  }
}

/** Renames the variables of a document that clash with a plan's own. */
export function plannedNames(document: DocumentNode): PlannedNames {
  const names = namesIn(document)
  const clashing = [...names].filter(name => RESERVED.has(name))
  if (clashing.length === 0) return unchanged(document)
  const renamed = new Map(clashing.map(name => [name, freeName(name, names)]))
  return {
    document: renameAll(document, renamed),
    toPlanned: <Given extends Variables | undefined>(variables: Given) =>
      variables &&
      (Object.fromEntries(
        // A variable that the operation does not define must not become one that it defines.
        Object.entries(variables)
          .filter(([name]) => names.has(name))
          .map(([name, value]) => [renamed.get(name) ?? name, value]),
      ) as Given),
    restoreNames(errors) {
      if (errors) restoreEach(errors, renamed)
      return errors
    },
  }
}
