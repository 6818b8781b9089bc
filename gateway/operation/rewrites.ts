/**
 * Rewrites of operations around their plan.
 *
 * Names of clients' variables: a client may choose any name. Where a plan has a variable of the same name, in each entity fetch
 * or each resumed subscription, the client's is renamed while its operation is planned and executed; errors show its own name.
 *
 * The primary fetch of a subscription is made resumable: it begins after a given cursor, and each event has its cursor, whatever
 * the client selected. So the subscription survives a broken connection and a new supergraph.
 */
import type { FetchNode } from '@apollo/query-planner'
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'

/** Variables as the client sent them, with the operation's defaults. */
export type Variables = Readonly<Record<string, unknown>>

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

export interface Primary {
  readonly serviceName: string
  /** Text of the planner, by which the execution of the plan fetches the event. */
  readonly operation: string
  /** Response name of the events. */
  readonly responseKey: string
  /** Text for the subgraph. */
  readonly resumable: string
  /** Makes the variables of that text from a client's, beginning after a cursor. */
  variablesFor(variables: Variables, after: string | undefined): Variables
  /** Filter of the events: an object as the client sent it, or undefined. */
  filterOf(variables: Variables): unknown
  /** Cursor after which the client wants to begin, if it names one. */
  startOf(variables: Variables): string | undefined
}

/** Response name of the cursor. */
const CURSOR = 'partnerGraphCursor'

const name = (value: string) => ({ kind: Kind.NAME, value }) as const
const variable = (value: string) => ({ kind: Kind.VARIABLE, name: name(value) }) as const

const CURSOR_FIELD: FieldNode = { kind: Kind.FIELD, alias: name(CURSOR), name: name('cursor') }
const AFTER_ARGUMENT: ArgumentNode = { kind: Kind.ARGUMENT, name: name('after'), value: variable(AFTER) }
const AFTER_VARIABLE = {
  kind: Kind.VARIABLE_DEFINITION,
  variable: variable(AFTER),
  type: { kind: Kind.NAMED_TYPE, name: name('String') },
} as const

const isAfter = (argument: ArgumentNode) => argument.name.value === 'after'
const isOperation = (node: { kind: string }): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION

/** Root field: the planner writes one, however the client selected it. */
const rootOf = (operation: OperationDefinitionNode): FieldNode => {
  const [root] = operation.selectionSet.selections
  if (root?.kind === Kind.FIELD) return root
  throw new Error(`Not a field: ${print(operation)}`)
}

const resumableRoot = (root: FieldNode): FieldNode => ({
  ...root,
  arguments: [...(root.arguments ?? []).filter(argument => !isAfter(argument)), AFTER_ARGUMENT],
  selectionSet: {
    kind: Kind.SELECTION_SET,
    selections: [CURSOR_FIELD, ...(root.selectionSet?.selections ?? [])] as SelectionNode[],
  },
})

const usedIn = (node: DocumentNode): Set<string> => {
  const used = new Set<string>()
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name: { value } }) => void used.add(value),
  })
  return used
}

/** Makes a document resumable. Definitions of unused variables go, since they would be invalid (GraphQL §5.8.4). */
const resumable = (document: DocumentNode): DocumentNode => {
  const definitions = document.definitions.map(node => {
    if (!isOperation(node)) return node
    return {
      ...node,
      selectionSet: { ...node.selectionSet, selections: [resumableRoot(rootOf(node))] },
      variableDefinitions: [...(node.variableDefinitions ?? []), AFTER_VARIABLE],
    }
  })
  const used = usedIn({ ...document, definitions })
  return visit({ ...document, definitions } as DocumentNode, {
    VariableDefinition: node => (used.has(node.variable.name.value) ? undefined : null),
  })
}

const filterIn = (root: FieldNode) => {
  const value = root.arguments?.find(({ name: { value: argument } }) => argument === 'filter')?.value
  return (variables: Variables): unknown => value && valueFromASTUntyped(value, variables)
}

const startFrom = (root: FieldNode) => {
  const value = root.arguments?.find(isAfter)?.value
  return (variables: Variables): string | undefined => {
    if (value?.kind === Kind.STRING) return value.value
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
    return typeof given === 'string' ? given : undefined
  }
}

/** Makes a plan's primary fetch resumable. */
export function primaryOf({ serviceName, operation }: FetchNode): Primary {
  const document = parse(operation, { noLocation: true })
  const changed = resumable(document)
  const used = usedIn(changed)
  const root = rootOf(document.definitions.find(isOperation)!)
  return {
    serviceName,
    operation,
    responseKey: root.alias?.value ?? root.name.value,
    resumable: print(changed),
    filterOf: filterIn(root),
    startOf: startFrom(root),
    variablesFor: (variables, after) => ({
      ...Object.fromEntries(Object.entries(variables).filter(([key]) => used.has(key))),
      [AFTER]: after ?? null,
    }),
  }
}

/** Finds the cursor in the data of an event; undefined where the event itself failed. */
export const cursorIn = (data: Readonly<Record<string, unknown>> | null | undefined): string | undefined => {
  const [event] = Object.values(data ?? {})
  const cursor = (event as Record<string, unknown> | null | undefined)?.[CURSOR]
  return typeof cursor === 'string' ? cursor : undefined
}
