/** Valid operations over any schema, by a seed. */
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { createRandom, type Random } from '#test/support/random.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { type Manner, name, Writer } from './operation-writer.ts'

/** Selections of one operation unless fewer are wanted, so that plans stay small. */
const MAX_SELECTIONS = 60

/** The kinds of operation that are executed whole. */
const kindOf = (schema: GraphQLSchema, random: Random): OperationTypeNode =>
  schema.getMutationType() && random.chance(0.1) ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY

/** A subscription selects one field, whatever the variables. */
const onlyField = ({ kind, selections }: SelectionSetNode): SelectionSetNode => {
  const [field] = selections.filter(selection => selection.kind === Kind.FIELD)
  return { kind, selections: field ? [{ ...field, directives: [] }] : selections }
}

const write = (
  schema: GraphQLSchema,
  random: Random,
  manner: Manner,
  operation: OperationTypeNode = kindOf(schema, random),
): OperationRequest => {
  const writer = new Writer(schema, random, manner)
  const all = writer.selectionSet(schema.getRootType(operation)!)
  const selectionSet = operation === OperationTypeNode.SUBSCRIPTION ? onlyField(all) : all
  const definition: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation,
    name: random.chance(0.5) ? name('Generated') : undefined,
    variableDefinitions: [...writer.definitions.values()],
    selectionSet,
  }
  const written: DocumentNode = { kind: Kind.DOCUMENT, definitions: [definition, ...writer.fragments] }
  const text = print(written)
  return { document: parse(text), text, variables: writer.variables }
}

const MAX_ATTEMPTS = 200

/** The first that is valid of those that a seed brings. */
const firstValid = (
  schema: GraphQLSchema,
  seed: number,
  create: (random: Random) => OperationRequest,
): OperationRequest => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const operation = create(createRandom(`${seed}.${attempt}`))
    if (validate(schema, operation.document).length === 0) return operation
  }
  throw new Error(`Seed ${seed} brings no valid operation`)
}

/** The query or mutation of a seed. */
export const generateOperation = (
  schema: GraphQLSchema,
  seed: number,
  selections = MAX_SELECTIONS,
): OperationRequest => firstValid(schema, seed, random => write(schema, random, { selections }))

/** The subscription of a seed. */
export const generateSubscription = (schema: GraphQLSchema, seed: number): OperationRequest =>
  firstValid(schema, seed, random =>
    write(schema, random, { selections: MAX_SELECTIONS }, OperationTypeNode.SUBSCRIPTION),
  )

/** An operation of this kind most of whose selections have conditions, and few of whose objects have a second field. */
export const generateConditional = (
  schema: GraphQLSchema,
  seed: number,
  operation: OperationTypeNode,
): OperationRequest =>
  firstValid(schema, seed, random =>
    write(schema, random, { selections: 10, conditions: 0.3, width: 2 }, operation),
  )

/** The same operation with each combination of its conditions. */
export function* eachCombination(operation: OperationRequest): Generator<OperationRequest> {
  const given = operation.variables ?? {}
  const conditions = Object.keys(given).filter(one => /^c\d$/.test(one))
  for (let bits = 0; bits < 2 ** conditions.length; bits++) {
    const chosen = conditions.map((one, index) => [one, (bits & (1 << index)) !== 0])
    yield { ...operation, variables: { ...given, ...Object.fromEntries(chosen) } }
  }
}

/** The same operation with every condition the other way round. */
export const withOtherConditions = (operation: OperationRequest): OperationRequest => {
  const variables = Object.entries(operation.variables ?? {}).map(([name, value]) => [
    name,
    /^c\d$/.test(name) ? !value : value,
  ])
  return { ...operation, variables: Object.fromEntries(variables) }
}
