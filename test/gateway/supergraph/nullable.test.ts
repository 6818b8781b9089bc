/** Fields that must be nullable in the supergraph, so that a subgraph that is down takes only its own fields with it. */
import {
  type DirectiveNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'

const types = new Map(
  parse(readSupergraph())
    .definitions.filter((one): one is ObjectTypeDefinitionNode => one.kind === Kind.OBJECT_TYPE_DEFINITION)
    .map(type => [type.name.value, type]),
)

const graphOf = (directive: DirectiveNode): string | undefined => {
  const graph = directive.arguments?.find(({ name }) => name.value === 'graph')?.value
  return graph?.kind === Kind.ENUM ? graph.value : undefined
}

const graphsOf = (node: { readonly directives?: readonly DirectiveNode[] }, directive: string): string[] =>
  (node.directives ?? []).filter(({ name }) => name.value === directive).flatMap(one => graphOf(one) ?? [])

const fieldsOf = (name: string): readonly FieldDefinitionNode[] => types.get(name)?.fields ?? []

/** The subgraph that finds an entity by its key: `Query.payment` is where payments are. */
const ownerOf = (entity: string): string | undefined => {
  const root = entity.charAt(0).toLowerCase() + entity.slice(1)
  const field = fieldsOf('Query').find(({ name }) => name.value === root)
  return field && graphsOf(field, 'join__field')[0]
}

const isKeyed = ({ directives }: ObjectTypeDefinitionNode) =>
  directives?.some(
    ({ name, arguments: given }) =>
      name.value === 'join__type' && given?.some(argument => argument.name.value === 'key'),
  )

const entities = [...types.values()].filter(isKeyed).map(({ name }) => name.value)

/** The name of a type, and whether it or an item of it can be null. */
const shapeOf = (type: TypeNode, isNullable = true): { name: string; isNullable: boolean } => {
  if (type.kind === Kind.NON_NULL_TYPE) return shapeOf(type.type, false)
  if (type.kind === Kind.LIST_TYPE) return { ...shapeOf(type.type), isNullable }
  return { name: type.name.value, isNullable }
}

const mustBe = (field: FieldDefinitionNode): string | undefined =>
  shapeOf(field.type).isNullable ? undefined : field.name.value

describe('the supergraph', () => {
  it('NULL-00 MUST have entities, each with an owner', () => {
    expect(entities).toEqual(
      expect.arrayContaining([
        'Customer',
        'Message',
        'Payment',
        'Recharge',
        'Redemption',
        'Reward',
        'Subscriber',
      ]),
    )
    expect(entities.map(ownerOf)).not.toContain(undefined)
  })

  it.each(entities)('NULL-01 MUST let what other subgraphs contribute to a %s be null', entity => {
    const owner = ownerOf(entity)
    const contributed = fieldsOf(entity).filter(field => {
      const graphs = graphsOf(field, 'join__field')
      return graphs.length > 0 && !graphs.includes(owner!)
    })
    expect(contributed.flatMap(field => mustBe(field) ?? [])).toEqual([])
  })

  it.each(['Query', 'Mutation'])('NULL-02 MUST let every field of %s be null', root => {
    expect(fieldsOf(root).length).toBeGreaterThan(5)
    expect(fieldsOf(root).flatMap(field => mustBe(field) ?? [])).toEqual([])
  })

  it.each([
    ['Subscriber', 'payments'],
    ['Customer', 'payments'],
    ['TimelineEntry', 'transaction'],
    ['TransactionEvent', 'transaction'],
  ])('NULL-03 MUST let %s.%s be null', (type, name) => {
    expect(mustBe(fieldsOf(type).find(field => field.name.value === name)!)).toBeUndefined()
  })
})
