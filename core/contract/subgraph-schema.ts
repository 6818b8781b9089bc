/**
 * Schemas of subgraphs as @apollo/subgraph makes them. It reads and checks a document in its own form before it makes
 * graphql-js' of it, which takes most of the time: that is done once for a document, and the result is kept. A wrong value of
 * an enumeration is refused by a sentence that names the right ones.
 */

import { createHash } from 'node:crypto'
import { type DocumentNode, GraphQLEnumType, GraphQLError, type GraphQLSchema, Kind } from 'graphql'
import { keptFile, keptJson } from '../config/project-files.ts'
import { schemaOf, sdlOf, version } from '../third-party/apollo-subgraph.ts'
import { shown } from '../values/text.ts'

/** Texts that a message shows; others would have to be escaped, and are no value of any enumeration. */
const SHOWABLE = /^[\w .-]{1,64}$/

/** `PaymentMethod must be one of cash, credit_card, debit_card, not "cheque"`. */
const refusalOf = (type: GraphQLEnumType, value: unknown): string => {
  const allowed = type.getValues().map(({ name }) => name)
  const isShown = typeof value === 'string' && SHOWABLE.test(value)
  return `${type.name} must be one of ${allowed.join(', ')}, not ${isShown ? shown(value) : 'this'}`
}

const teach = (type: GraphQLEnumType): void => {
  const [parseValue, parseLiteral] = [type.parseValue.bind(type), type.parseLiteral.bind(type)]
  type.parseValue = value => {
    try {
      return parseValue(value)
    } catch {
      throw new GraphQLError(refusalOf(type, value))
    }
  }
  type.parseLiteral = (node, variables) => {
    try {
      return parseLiteral(node, variables)
    } catch {
      const value = node.kind === Kind.ENUM || node.kind === Kind.STRING ? node.value : undefined
      throw new GraphQLError(refusalOf(type, value), { nodes: node })
    }
  }
}

/**
 * Teaches the enumerations of a schema to name their values in refusals; those of introspection are left out, since
 * every schema shares them.
 */
export const teachEnums = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap()))
    if (type instanceof GraphQLEnumType && !type.name.startsWith('__')) teach(type)
  return schema
}

interface SubgraphModule {
  readonly typeDefs: DocumentNode
  /** Resolvers by the names of types: of their fields, or a whole scalar. */
  readonly resolvers: object
}

/** The file in which the SDL of a document is kept. */
export const keptSdl = (typeDefs: DocumentNode): string => {
  const hash = createHash('sha256').update(version).update(JSON.stringify(typeDefs))
  return keptFile(`subgraph-${hash.digest('hex').slice(0, 32)}.json`)
}

/** The schema of a document with these resolvers. @throws Error saying what is wrong with the document. */
export const buildSubgraphSchema = ({ typeDefs, resolvers }: SubgraphModule): GraphQLSchema =>
  teachEnums(
    schemaOf(
      keptJson(keptSdl(typeDefs), () => sdlOf(typeDefs)),
      resolvers,
    ),
  )
