/**
 * A service's SDL document, completed by what all subgraphs have in common, and by the kinds of transaction there are:
 * nothing that grows with a service is written in another's document.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefinitionNode, type DocumentNode, isTypeExtensionNode, Kind, parse } from 'graphql'
import { projectPath } from '../config/project-files.ts'

const SCHEMA_FOLDER = projectPath('schema')

/** A kind of transaction as documents speak of it. */
export interface DocumentedKind {
  /** A value of the graph's `TransactionKind`, e.g. `PAYMENT`. */
  readonly name: string
  /** The GraphQL type, e.g. `Payment`, and the field that is its key. */
  readonly typename: string
  readonly idField: string
  /** One sentence for the graph's reference. */
  readonly description: string
}

const readSdl = (folder: string, name: string) => parse(readFileSync(join(folder, `${name}.graphql`), 'utf8'))

/** The name that a definition defines; an extension defines nothing anew. */
const nameOf = (definition: DefinitionNode) =>
  'name' in definition && !isTypeExtensionNode(definition) ? definition.name?.value : undefined

const definitionsOf = (sdl: string) => parse(sdl, { noLocation: true }).definitions

/** Makes the values of the common enum `TransactionKind`, which its document leaves open. */
const valuesOf = (kinds: readonly DocumentedKind[]) => {
  const values = kinds.map(({ name, description }) => `${JSON.stringify(description)} ${name}`)
  const [definition] = definitionsOf(`enum TransactionKind { ${values.join(' ')} }`)
  return definition?.kind === Kind.ENUM_TYPE_DEFINITION ? definition.values : undefined
}

const withKinds =
  (kinds: readonly DocumentedKind[]) =>
  (definition: DefinitionNode): DefinitionNode =>
    definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'TransactionKind'
      ? { ...definition, values: valuesOf(kinds) ?? [] }
      : definition

/** Writes the SDL of a transaction that is known by its id alone. The subgraph that owns it resolves its other fields. */
const referenceTo = ({ typename, idField }: DocumentedKind) => `
  type ${typename} implements Transaction @key(fields: "${idField}", resolvable: false) {
    "Its id."
    ${idField}: ID!
    "The same as \`${idField}\`."
    id: ID! @shareable
  }`

/**
 * SDL of references to every kind of transaction, for a document that itself defines `Transaction` with its key alone.
 */
const referencesOf = (named: ReadonlySet<string | undefined>, kinds: readonly DocumentedKind[]) =>
  named.has('Transaction')
    ? kinds.filter(({ typename }) => !named.has(typename)).flatMap(kind => definitionsOf(referenceTo(kind)))
    : []

/**
 * Writes the SDL of a subgraph: its own document; the common definitions that it does not define itself; the values of
 * `TransactionKind`; and where it defines `Transaction` itself, a reference to each kind of transaction.
 * @param kinds every kind of transaction that there is, as `kind.ts` of the services has them.
 */
export const typeDefsOf = (
  name: string,
  kinds: readonly DocumentedKind[],
  folder = SCHEMA_FOLDER,
): DocumentNode => {
  const own = readSdl(folder, name).definitions
  const named = new Set(own.map(nameOf))
  const common = readSdl(SCHEMA_FOLDER, 'common')
    .definitions.filter(one => !nameOf(one) || !named.has(nameOf(one)))
    .map(withKinds(kinds))
  return { kind: Kind.DOCUMENT, definitions: [...common, ...own, ...referencesOf(named, kinds)] }
}
