/** Rights in the schema (`@requiresRole`): what it says is what the graph does, for every root field and every role. */
import { buildSchema, Kind, type OperationDefinitionNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '#core/access/principal.ts'
import { rolesOfRoot } from '#core/graph/required-roles.ts'
import { readToolDocuments, type ToolDocument } from '#gateway/mcp/documents.ts'
import { createTrustedDocuments } from '#gateway/operation/trusted-documents.ts'
import { apiSchemaOf } from '#gateway/supergraph/api-schema.ts'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const api = apiSchemaOf(readSupergraph())
const schema = buildSchema(api)
const examples = readToolDocuments(createTrustedDocuments({ documents: [], only: false }), {
  introspection: true,
}).filter(({ isExample }) => isExample)

const tokens = new Map<Role, string>()
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  for (const role of ROLES) tokens.set(role, await stack.token({ id: `rights-${role}`, role }))
})
afterAll(() => stack[Symbol.asyncDispose]())

interface Failure {
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly reason?: string }
}

const ID = '0190a2b4-0000-7000-8000-000000000000'

/** Root fields that an example may not ask by a role. */
const refusedTo = async (role: Role, { text, operation }: ToolDocument): Promise<string[]> => {
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get(role)}` },
    body: JSON.stringify({ query: text, variables: Object.fromEntries(names.map(name => [name, ID])) }),
  })
  const { errors = [] } = (await response.json()) as { errors?: Failure[] }
  const refused = errors.filter(
    ({ extensions, path }) => extensions.reason === 'ROLE_NOT_PERMITTED' && path?.length === 1,
  )
  return [...new Set(refused.map(({ path }) => String(path![0])))]
}

const rootFields = ({ selectionSet }: OperationDefinitionNode): string[] =>
  selectionSet.selections.flatMap(node => (node.kind === Kind.FIELD ? [node.name.value] : []))

it.each(examples.map(one => [one.name, one] as const))(
  'RIGHTS-01 MUST be those by which %s is answered',
  async (_, example) => {
    const type = schema.getRootType(example.operation.operation)!.name
    for (const role of ROLES) {
      const stated = rootFields(example.operation).filter(
        field => !rolesOfRoot(schema, type, field).includes(role),
      )
      expect([role, (await refusedTo(role, example)).toSorted()]).toEqual([role, stated.toSorted()])
    }
  },
)

it('RIGHTS-02 MUST be tried for every root field of a query or a mutation', () => {
  const tried = new Set(examples.flatMap(({ operation }) => rootFields(operation)))
  const all = [schema.getQueryType()!, schema.getMutationType()!].flatMap(type =>
    Object.keys(type.getFields()),
  )
  expect(all.filter(field => !tried.has(field))).toEqual([])
})

describe('the schema that clients see', () => {
  it('RIGHTS-03 MUST show rights and costs', async () => {
    const served = await (await fetch(`${stack.address}/schema.graphql`)).text()
    expect(served).toBe(api)
    expect(served).toMatch(
      /^ {2}postedBy: Partner @semanticNonNull @requiresRole\(anyOf: \[portal, analyst\]\)$/m,
    )
    expect(served).toMatch(/\): \[ActivitySummary!\] @semanticNonNull @cost\(weight: 10\) @listSize\(/)
    expect(served).not.toMatch(/@(join|link|inaccessible)/)
  })

  it('RIGHTS-04 MUST be the same in each transaction as in what all have in common', () => {
    const rolesOf = (type: string, field: string) =>
      new RegExp(
        `^(?:type|interface) ${type}[ &\\w]* \\{[\\s\\S]*?^ {2}${field}: .*@requiresRole\\((.*?)\\)`,
        'm',
      ).exec(api)?.[1]
    for (const type of ['Payment', 'Recharge', 'Message', 'Reward', 'Redemption'])
      for (const field of ['postedBy', 'interventions'])
        expect([type, rolesOf(type, field)]).toEqual([type, rolesOf('Transaction', field)])
    expect(rolesOf('Transaction', 'postedBy')).toBe('anyOf: [portal, analyst]')
  })
})
