/** Where in an operation an error belongs: the path of the field that it is about, and where that field stands in the text. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  getLocation,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type SourceLocation,
  visit,
} from 'graphql'

/** A field of an operation with its path in the answer, without the indexes of lists. */
interface PlacedField {
  readonly field: FieldNode
  readonly path: readonly string[]
}

const operationsIn = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)

/** Each fragment is gone through once, since fragments can unfold to more fields than anyone can count. */
function* placedFields(document: DocumentNode): Generator<PlacedField> {
  const fragments = new Map(
    document.definitions
      .filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
      .map(one => [one.name.value, one.selectionSet]),
  )
  function* walk({ selections }: SelectionSetNode, path: readonly string[]): Generator<PlacedField> {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) {
        const own = [...path, (node.alias ?? node.name).value]
        yield { field: node, path: own }
        if (node.selectionSet) yield* walk(node.selectionSet, own)
      } else if (node.kind === Kind.INLINE_FRAGMENT) yield* walk(node.selectionSet, path)
      else {
        const selectionSet = fragments.get(node.name.value)
        fragments.delete(node.name.value)
        if (selectionSet) yield* walk(selectionSet, path)
      }
    }
  }
  for (const operation of operationsIn(document)) yield* walk(operation.selectionSet, [])
}

/** Whether a field's own arguments and directives hold what the error is about: a literal, or a variable. */
const isAbout = ({ selectionSet: _, ...field }: FieldNode, { nodes }: GraphQLError): boolean => {
  const [about] = nodes ?? []
  const variable = about?.kind === Kind.VARIABLE_DEFINITION ? about.variable.name.value : undefined
  let found = false
  visit(field, {
    enter(node) {
      found ||= node === about || (node.kind === Kind.VARIABLE && node.name.value === variable)
    },
  })
  return found
}

/** The path of the first field that has what the error is about among its arguments; undefined where none has. */
const pathOf = (error: GraphQLError, document: DocumentNode): readonly string[] | undefined => {
  if (!error.nodes) return undefined
  for (const { field, path } of placedFields(document)) if (isAbout(field, error)) return path
  return undefined
}

/** A path without the indexes of lists. */
const keyOf = (path: readonly (string | number)[]): string =>
  path.filter(step => typeof step === 'string').join('\n')

/** Where the field of a path begins; undefined in a document that was parsed without locations. */
const locationsOf = (wanted: string, document: DocumentNode): readonly SourceLocation[] | undefined => {
  for (const { field, path } of placedFields(document))
    if (keyOf(path) === wanted) return field.loc && [getLocation(field.loc.source, field.loc.start)]
  return undefined
}

/** Gives errors of an operation the path and the locations that they have not, as far as they can be told. */
export const createErrorPlacer = (document: DocumentNode): ((error: GraphQLError) => void) => {
  // A page whose every row has an error has many of the same field.
  const known = new Map<string, readonly SourceLocation[] | undefined>()
  const locate = (path: readonly (string | number)[]) => {
    const wanted = keyOf(path)
    if (!known.has(wanted)) known.set(wanted, locationsOf(wanted, document))
    return known.get(wanted)
  }
  return error => {
    const path = error.path ?? pathOf(error, document)
    const locations = error.locations ?? (path && locate(path))
    Object.assign(error, path && { path }, locations && { locations })
  }
}
