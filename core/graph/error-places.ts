/** Where in an operation an error belongs: the path of the field that it is about, and where that field stands in the text. */
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

/** No operation that may be executed is as deep, and a path is told with each error. */
const MAX_DEPTH = 100

/** A place in the answer; the fields of one name that are selected beside one another share it. */
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

  /** The place of a field that is selected here. */
  of(field: FieldNode): Place {
    const key = (field.alias ?? field.name).value
    const known = this.#children.get(key) ?? new Place(this, field)
    this.#children.set(key, known)
    return known
  }

  /** The place at the end of a path, whose indexes of lists count for nothing. */
  at(path: readonly (string | number)[]): Place | undefined {
    let place: Place | undefined = this
    for (const step of path) {
      if (typeof step !== 'string') continue
      place = place.#children.get(step)
      if (!place) return undefined
    }
    return place
  }

  /** From the root of the answer, without the indexes of lists; undefined at the root itself. */
  get path(): readonly string[] | undefined {
    if (this.#depth === 0 || this.#depth > MAX_DEPTH) return undefined
    return [...(this.#parent?.path ?? []), this.#key]
  }

  /** Where the first field of the place begins; undefined in a document that was parsed without locations. */
  get locations(): readonly SourceLocation[] | undefined {
    const loc = this.#field?.loc
    this.#locations ??= loc && [getLocation(loc.source, loc.start)]
    return this.#locations
  }
}

interface Places {
  readonly root: Place
  /** By the fields, and by everything in their arguments and directives. */
  readonly byNode: ReadonlyMap<ASTNode, Place>
  /** By the variables that fields take; of several the first. */
  readonly byVariable: ReadonlyMap<string, Place>
}

const fragmentsOf = ({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> => {
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map(one => [one.name.value, one]))
}

/**
 * One walk over the document, in the sequence of its text. Each fragment is gone through once, since fragments can unfold to
 * more fields than anyone can count; and there is no recursion, since they can be nested deeper than the stack.
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
  const note = (node: ASTNode, place: Place) =>
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
    for (const directive of selection.directives ?? []) note(directive, place)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value)
      fragments.delete(selection.name.value)
      byNode.set(selection.name, place)
      if (fragment) wait(fragment.selectionSet.selections, place)
    } else {
      if (selection.kind === Kind.FIELD)
        for (const argument of selection.arguments ?? []) note(argument, place)
      const { selectionSet } = selection
      if (selectionSet) {
        byNode.set(selectionSet, place)
        wait(selectionSet.selections, place)
      }
    }
  }
  return { root, byNode, byVariable }
}

/** The place of what an error is about: of a field, of something that it is given, or of the first that takes a variable. */
const placeOf = ({ nodes }: GraphQLError, { byNode, byVariable }: Places): Place | undefined => {
  const [about] = nodes ?? []
  if (about?.kind === Kind.VARIABLE_DEFINITION) return byVariable.get(about.variable.name.value)
  return about && byNode.get(about)
}

/**
 * Gives errors of an operation the path and the locations that they have not, as far as they can be told. The document is
 * looked through once, with the first error, however many there are.
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
