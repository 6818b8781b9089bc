/**
 * Variables of clients beside those that plans have of their own. A client may call its variables as it likes; where a
 * name is one that every entity fetch or every resumed subscription has too, the client's is called otherwise while
 * its operation is planned and executed, and by its own name in whatever the client is told.
 */
import { type DocumentNode, Kind, visit } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** The variable that says where a stream begins, in what is sent to a subgraph. */
export const AFTER = 'partnerGraphAfter'

/** Names of a plan's own variables: of entity fetches (`_entities(representations:)`), and of the start of a stream. */
const RESERVED: ReadonlySet<string> = new Set(['representations', AFTER])

/** An operation as it is planned. */
export interface PlannedNames {
  readonly document: DocumentNode
  /** The client's variables under the names that they have there. */
  toPlanned<Given extends Variables | undefined>(variables: Given): Given
  /** Gives errors the client's own names; they are changed in place. */
  tellOwn<Errors extends readonly unknown[] | undefined>(errors: Errors): Errors
}

/** Nothing to do, as for nearly every operation. */
const unchanged = (document: DocumentNode): PlannedNames => ({
  document,
  toPlanned: variables => variables,
  tellOwn: errors => errors,
})

const namesIn = (document: DocumentNode): Set<string> => {
  const names = new Set<string>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    for (const { variable } of definition.variableDefinitions ?? []) names.add(variable.name.value)
  }
  return names
}

/** A name that no variable of the document has. */
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

const tellEach = (errors: readonly unknown[], renamed: ReadonlyMap<string, string>): void => {
  for (const error of errors) {
    if (!(error instanceof Error)) continue
    for (const [own, planned] of renamed)
      error.message = error.message.replaceAll(`$${planned}`, () => `$${own}`)
  }
}

/** Gives the variables of a document names that none of a plan's own has. */
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
        // A value that the operation does not define must not become one that it does.
        Object.entries(variables)
          .filter(([name]) => names.has(name))
          .map(([name, value]) => [renamed.get(name) ?? name, value]),
      ) as Given),
    tellOwn(errors) {
      if (errors) tellEach(errors, renamed)
      return errors
    },
  }
}
