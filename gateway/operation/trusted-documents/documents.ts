/** Trusted documents by all the ids under which clients may name them, and what is refused where nothing else is trusted. */
import { type OperationDefinitionNode, parse } from 'graphql'
import { hashOf, type TrustedText } from '#core/config/trusted-documents.ts'
import { invalid, type ServiceError } from '#core/errors/catalogue.ts'

/** A document, as whoever plans operations before they are asked for needs it. */
export interface TrustedDocument extends TrustedText {
  /** The name of its operation; undefined where that has none, or where it has several operations. */
  readonly operationName: string | undefined
}

export interface TrustedDocuments extends Iterable<TrustedDocument> {
  /** Whether no other operations are executed. */
  readonly only: boolean
  /** The text that an id, or the SHA-256 of a text, names. */
  textOf(id: string): string | undefined
  /** @throws ServiceError INVALID_ARGUMENT for a text that is refused, since only trusted ones are executed. */
  checkText(text: string): void
}

const isOperation = (node: { kind: string }): node is OperationDefinitionNode =>
  node.kind === 'OperationDefinition'

/** What cannot be parsed has no name; whoever checks documents says why. */
const operationNameOf = (text: string): string | undefined => {
  try {
    const operations = parse(text, { noLocation: true }).definitions.filter(isOperation)
    return operations.length === 1 ? operations[0]!.name?.value : undefined
  } catch {
    return undefined
  }
}

const HOW =
  'this server executes trusted documents alone: name one by its id (documentId, or extensions.persistedQuery.sha256Hash), or send its text unchanged'

/** 400 for what is not trusted, and how it would be. */
export const notTrusted = (what: string): ServiceError =>
  invalid(`${what} is not among the trusted documents, and ${HOW}`, { reason: 'NOT_TRUSTED' })

/** The documents by their ids, by `sha256:` and the hash of their text (GraphQL over HTTP, "Persisted Documents"), and by that alone. */
const index = (documents: readonly TrustedText[]): ReadonlyMap<string, string> =>
  new Map([
    ...documents.flatMap(({ text }) =>
      [hashOf(text), `sha256:${hashOf(text)}`].map(id => [id, text] as const),
    ),
    ...documents.map(({ id, text }) => [id, text] as const),
  ])

/** Makes them of what the settings brought. */
export function createTrustedDocuments(setting: {
  readonly documents: readonly TrustedText[]
  readonly only: boolean
}): TrustedDocuments {
  const byId = index(setting.documents)
  const texts = new Set(setting.documents.map(({ text }) => text))
  const named = setting.documents.map(one => ({ ...one, operationName: operationNameOf(one.text) }))
  return {
    only: setting.only,
    textOf: id => byId.get(id),
    checkText(text) {
      if (setting.only && !texts.has(text)) throw notTrusted('The operation')
    },
    [Symbol.iterator]: () => named[Symbol.iterator](),
  }
}
