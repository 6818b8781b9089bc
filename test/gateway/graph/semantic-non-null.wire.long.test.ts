/** Fields with `@semanticNonNull` are null with an error alone, of every customer and number of the demo, for every role. */
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OperationRequest, repositoryOperations } from '#test/support/repository-operations.ts'
import { readText } from '#test/support/sources.ts'
import { createGraph, type Graph, type GraphError } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const schema = buildSchema(readText('schema/api.graphql'))

const isMarked = (type: GraphQLCompositeType, name: string): boolean =>
  (isObjectType(type) || isInterfaceType(type)) &&
  type.getFields()[name]?.astNode?.directives?.some(one => one.name.value === 'semanticNonNull') === true

type Path = readonly (string | number)[]

/** Null at a field that is marked, or a value. */
interface Found {
  readonly field: string
  readonly path: Path
  readonly isNull: boolean
}

class Reading {
  readonly found: Found[] = []
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>

  constructor({ definitions }: DocumentNode) {
    const all = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(all.map(one => [one.name.value, one]))
  }

  read(set: SelectionSetNode, type: GraphQLCompositeType, data: unknown, path: Path): void {
    if (Array.isArray(data)) {
      for (const [index, one] of data.entries()) this.read(set, type, one, [...path, index])
    } else if (typeof data === 'object' && data !== null) {
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) this.#field(node, type, data as Record<string, unknown>, path)
        else {
          const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value)! : node
          const narrowed = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value)
          this.read(fragment.selectionSet, isCompositeType(narrowed) ? narrowed : type, data, path)
        }
      }
    }
  }

  #field(node: FieldNode, type: GraphQLCompositeType, data: Record<string, unknown>, path: Path): void {
    const key = (node.alias ?? node.name).value
    const definition =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined
    // Not a field of this object: another type's, or left out by a condition.
    if (!definition || !Object.hasOwn(data, key)) return
    const here = [...path, key]
    if (isMarked(type, node.name.value))
      this.found.push({ field: `${type.name}.${node.name.value}`, path: here, isNull: data[key] === null })
    const below = getNamedType(definition.type)
    if (node.selectionSet && isCompositeType(below)) this.read(node.selectionSet, below, data[key], here)
  }
}

const hasError = (errors: readonly GraphError[], path: Path): boolean =>
  errors.some(error => path.every((step, index) => error.path?.[index] === step))

/** How often each field was there, and how often an error. */
const seen = { there: new Set<string>(), failed: new Set<string>() }

const check = async (
  graph: Graph,
  token: string,
  { document, text, variables }: OperationRequest,
): Promise<void> => {
  const { data, errors } = await graph(text, { token, ...(variables && { variables }) })
  if (!data) return
  const [operation] = document.definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)
  const reading = new Reading(document)
  reading.read(operation!.selectionSet, schema.getRootType(operation!.operation)!, data, [])
  for (const { field, isNull } of reading.found) (isNull ? seen.failed : seen.there).add(field)
  const wrong = reading.found.filter(({ path, isNull }) => isNull && !hasError(errors, path))
  expect(wrong, text).toEqual([])
}

const request = (text: string, variables?: Record<string, unknown>): OperationRequest => ({
  document: parse(text),
  text,
  ...(variables && { variables }),
})

/** An operation by itself, of those of a document. */
const alone = (operation: OperationRequest): OperationRequest => {
  const { document, operationName, variables } = operation
  const operations = document.definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)
  if (operations.length === 1) return operation
  return request(print(operations.find(one => one.name?.value === operationName)!), { ...variables })
}

const OF_TRANSACTION = 'id interventions { action } postedBy { id }'

const OF_NUMBER = `query Number($n: PhoneNumber!) { subscriber(mobileNumber: $n) {
  timeline(first: 3) { nodes { transaction { ${OF_TRANSACTION} } } } summary(by: ALL) { count } pointsBalance
  rewards(first: 2) { nodes { ${OF_TRANSACTION} } } messages(first: 2) { nodes { ${OF_TRANSACTION} } }
  payments(first: 2) { nodes { ${OF_TRANSACTION} } } recharges(first: 2) { nodes { ${OF_TRANSACTION} } }
  redemptions(first: 2) { nodes { ${OF_TRANSACTION} } }
  rewardEligibility(points: 1) { eligible } rechargeEligibility(amount: 1) { eligible } } }`

const OF_ACCOUNT = `query Account($a: String!) { customer(customerAccountNumber: $a) {
  timeline(first: 3) { nodes { transaction { ${OF_TRANSACTION} } } } summary(by: ALL) { count }
  payments(first: 2) { nodes { ${OF_TRANSACTION} } } } }`

const OF_CLIENT = `query Client($ids: [ID!]) { me { id } summary(by: ALL) { count } latestEventCursor
  timeline(first: 20) { nodes { transaction { ${OF_TRANSACTION} } } } events(first: 2) { totalCount }
  webhookDeliveries(first: 2) { totalCount } requests(first: 2) { nodes { at } } requestSummary(by: DAY) { count }
  partners(first: 2) { totalCount } clientLimits(ids: $ids) { maxAmount } webhookEndpoints { notificationUrl }
  auditLog(first: 2) { nodes { at } } accessRecords(first: 2) { nodes { at } } customers(search: "M", first: 2) { totalCount }
  rewards(first: 2) { totalCount } messages(first: 2) { totalCount } payments(first: 2) { totalCount }
  recharges(first: 2) { totalCount } redemptions(first: 2) { totalCount } }`

const CLIENTS = [
  'demo-partner',
  'demo-portal',
  'demo-analyst',
  { id: 'an-auditor', role: 'auditor' },
] as const

describe('@semanticNonNull', { timeout: 300_000 }, () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
    await stack.settled()
  })
  afterAll(() => stack?.[Symbol.asyncDispose]())

  it('SEMANTIC-NULL-01 MUST be null with an error alone, for every number and account of the demo', async () => {
    const graph = createGraph(stack.address)
    const lines = await stack.app.db.line.findMany()
    const accounts = await stack.app.db.account.findMany()
    expect([lines.length, accounts.length].every(count => count > 5)).toBe(true)
    for (const client of CLIENTS) {
      const token = await stack.token(client)
      await check(graph, token, request(OF_CLIENT, { ids: ['demo-partner'] }))
      for (const { number } of lines.filter(({ kind }) => kind === 'PHONE' || kind === 'phone'))
        await check(graph, token, request(OF_NUMBER, { n: number }))
      for (const { accountNumber } of accounts)
        await check(graph, token, request(OF_ACCOUNT, { a: accountNumber }))
    }
  })

  it('SEMANTIC-NULL-02 MUST be null with an error alone, in every operation that the repository has', async () => {
    const graph = createGraph(stack.address)
    const operations = repositoryOperations(schema).map(alone)
    expect(operations.length).toBeGreaterThan(50)
    for (const client of CLIENTS) {
      const token = await stack.token(typeof client === 'string' ? client : client.id)
      for (const operation of operations) await check(graph, token, operation)
    }
  })

  it('SEMANTIC-NULL-03 MUST have been seen with a value, each field', () => {
    const marked = Object.values(schema.getTypeMap()).flatMap(type =>
      isObjectType(type) || isInterfaceType(type)
        ? Object.keys(type.getFields()).flatMap(name =>
            isMarked(type, name) ? [`${type.name}.${name}`] : [],
          )
        : [],
    )
    expect(marked.length).toBeGreaterThan(40)
    // Transactions are seen as the interface, and mutations of a portal need one that waits.
    expect(
      marked.filter(
        field => !seen.there.has(field) && /^(Query|Subscriber|Customer|Timeline|Transaction)/.test(field),
      ),
    ).toEqual([])
    expect(seen.failed.size).toBeGreaterThan(10)
  })
})
