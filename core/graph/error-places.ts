/** Places of errors in an operation: the path of the field that an error is about, and its location in the text. */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getLocation,
  Kind,
  type SelectionNode,
  type SourceLocation,
  visit,
} from 'graphql'

/** Depth of a path; no operation that may be executed is as deep. */
const MAX_DEPTH = 100

/** Place in the response; fields of the same response name share it. */
class Place {
  readonly #parent: Place | undefined
  readonly #key: string
  readonly #depth: number
  readonly #field: FieldNode | undefined
  readonly #children = new Map<string, Place>()
  #locations: readonly SourceLocation[] | undefined

  constructor(parent?: Place, field?: FieldNode) {
    this.#parent = parent
    this.#field = field
    this.#key = (field?.alias ?? field?.name)?.value ?? ''
    this.#depth = parent ? parent.#depth + 1 : 0
  }

  /** Finds the place of a field that is selected here. */
  of(field: FieldNode): Place {
    const key = (field.alias ?? field.name).value
    const known = this.#children.get(key) ?? new Place(this, field)
    this.#children.set(key, known)
    return known
  }

  /** Finds the place at the end of a path, ignoring indexes of lists. */
  at(path: readonly (string | number)[]): Place | undefined {
    let place: Place | undefined = this
    for (const step of path) {
      if (typeof step !== 'string') continue
      place = place.#children.get(step)
      if (!place) return undefined
    }
    return place
  }

  /** Path from the root of the response, without indexes of lists; undefined at the root itself. */
  get path(): readonly string[] | undefined {
    if (this.#depth === 0 || this.#depth > MAX_DEPTH) return undefined
    return [...(this.#parent?.path ?? []), this.#key]
  }

  /** Location of the first field of the place; undefined in a document that was parsed without locations. */
  get locations(): readonly SourceLocation[] | undefined {
    const loc = this.#field?.loc
    this.#locations ??= loc && [getLocation(loc.source, loc.start)]
    return this.#locations
  }
}

interface Places {
  readonly root: Place
  /** Places of fields, and of everything in their arguments and directives. */
  readonly byNode: ReadonlyMap<ASTNode, Place>
  /** Places of the first field that takes a variable. */
  readonly byVariable: ReadonlyMap<string, Place>
}

const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> => {
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map(one => [one.name.value, one]))
}

/**
 * Collects places in one walk over the document, in the sequence of its text. Each fragment is entered once, since fragments
 * can unfold without limit; there is no recursion, since they can be nested deeper than the stack.
 */
const placesIn = (document: DocumentNode): Places => {
  const root = new Place()
  const byNode = new Map<ASTNode, Place>()
  const byVariable = new Map<string, Place>()
  const fragments = fragmentsOf(document)
  const waiting: [selection: SelectionNode, within: Place][] = []
  const wait = (selections: readonly SelectionNode[], within: Place) => {
    for (const selection of selections.toReversed()) waiting.push([selection, within])
  }
  const record = (node: ASTNode, place: Place) =>
    visit(node, {
      enter(one) {
        byNode.set(one, place)
        if (one.kind === Kind.VARIABLE && !byVariable.has(one.name.value))
          byVariable.set(one.name.value, place)
      },
    })
  for (const one of document.definitions.toReversed())
    if (one.kind === Kind.OPERATION_DEFINITION) wait(one.selectionSet.selections, root)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [selection, within] = next
    const place = selection.kind === Kind.FIELD ? within.of(selection) : within
    byNode.set(selection, place)
    for (const directive of selection.directives ?? []) record(directive, place)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value)
      fragments.delete(selection.name.value)
      byNode.set(selection.name, place)
      if (fragment) wait(fragment.selectionSet.selections, place)
    } else {
      if (selection.kind === Kind.FIELD)
        for (const argument of selection.arguments ?? []) record(argument, place)
      const { selectionSet } = selection
      if (selectionSet) {
        byNode.set(selectionSet, place)
        wait(selectionSet.selections, place)
      }
    }
  }
  return { root, byNode, byVariable }
}

/** Finds the place of an error: of a field, of a part of its arguments, or of the first field that takes a variable. */
const placeOf = ({ nodes }: GraphQLError, { byNode, byVariable }: Places): Place | undefined => {
  const [about] = nodes ?? []
  if (about?.kind === Kind.VARIABLE_DEFINITION) return byVariable.get(about.variable.name.value)
  return about && byNode.get(about)
}

/**
 * Makes the function that gives errors of an operation the path and the locations that they lack. The document is walked
 * once, for the first error.
 */
export const createErrorPlacer = (document: DocumentNode): ((error: GraphQLError) => void) => {
  let places: Places | undefined
  return error => {
    places ??= placesIn(document)
    const place = error.path ? places.root.at(error.path) : placeOf(error, places)
    const path = error.path ?? place?.path
    const locations = error.locations ?? place?.locations
    Object.assign(error, path && { path }, locations && { locations })
  }
}
