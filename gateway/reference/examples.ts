/** The examples of the reference: an operation for each field of a root type, named like the field. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql'

const FOLDER = join(import.meta.dirname, '../../schema/examples')
const FILES = ['queries', 'mutations', 'subscriptions']

/** The root types in the order of the reference, with the operations that begin at them. */
export const ROOTS: Readonly<Record<string, OperationTypeNode>> = {
  Query: OperationTypeNode.QUERY,
  Mutation: OperationTypeNode.MUTATION,
  Subscription: OperationTypeNode.SUBSCRIPTION,
}

export interface Example {
  readonly operation: OperationTypeNode
  /** The field of the root type, and the operation's name. */
  readonly field: string
  /** As it is written in its file. */
  readonly text: string
}

const toExample = (source: string, { operation, name, loc }: OperationDefinitionNode): Example => ({
  operation,
  field: name!.value,
  text: source.slice(loc!.start, loc!.end),
})

const readFile = (name: string): Example[] => {
  const source = readFileSync(join(FOLDER, `${name}.graphql`), 'utf8')
  return parse(source)
    .definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION)
    .map(node => toExample(source, node))
}

/** Every example of `schema/examples`. */
export const readFieldExamples = (): Example[] => FILES.flatMap(readFile)
