/** Apollo's subgraph specification, held against each service alone, over HTTP with a token and without. */

import { type DefinitionNode, type DocumentNode, parse, print, visit } from 'graphql'
import { describe, expect, it } from 'vitest'
import { typeDefsOf } from '#core/contract/sdl.ts'
import { compose, readSupergraph } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { createGraph } from '../../support/graph.ts'
import { bearer, connect } from '../../support/subscribe.ts'
import { ask, ENTITIES, subgraphs, useLoneSubgraphs } from './lone.ts'

useLoneSubgraphs()

/** The types that federation itself adds to a document. */
const ADDED = new Set(['_entities', '_service'])

const nameOf = (definition: DefinitionNode) => ('name' in definition ? definition.name?.value : undefined)

/** Named definitions as text: those of the names given, whatever their sequence and how descriptions are quoted. */
const definitionsOf = (document: DocumentNode, names: ReadonlySet<string | undefined>) => {
  const plain = visit(document, {
    StringValue: node => ({ ...node, block: false }),
    FieldDefinition: ({ name }) => (ADDED.has(name.value) ? null : undefined),
  })
  const kept = plain.definitions.filter(one => nameOf(one) && names.has(nameOf(one)))
  return kept.map(one => print(one)).toSorted()
}

const sdlOf = async (name: string): Promise<string> =>
  (await ask(name, '{ _service { sdl } }')).data._service.sdl

describe.each(SERVICES)('$name', ({ name }) => {
  it('SUBGRAPH-SPEC-01 MUST tell its whole document, with the directives of federation', async () => {
    const sdl = parse(await sdlOf(name))
    const own = typeDefsOf(name, await loadKinds())
    const names = new Set(own.definitions.map(nameOf))
    expect(definitionsOf(sdl, names)).toEqual(definitionsOf(own, names))
    expect(print(sdl)).toMatch(/@link\(\s*url: "https:\/\/specs.apollo.dev\/federation\/v2/)
  })

  it('SUBGRAPH-SPEC-02 MUST define _Service, _Any, _Entity and the directives that it imports', async () => {
    const { data } = await ask(
      name,
      `{ __schema { directives { name } queryType { fields { name type { kind ofType { name kind } } args { name } } } }
        service: __type(name: "_Service") { kind fields { name } }
        any: __type(name: "_Any") { kind }
        entity: __type(name: "_Entity") { kind possibleTypes { name } } }`,
    )
    const directives = data.__schema.directives.map((one: { name: string }) => one.name)
    expect(directives).toEqual(expect.arrayContaining(['link', 'key', 'shareable']))
    const fields = new Map(
      data.__schema.queryType.fields.map((one: { name: string; args: object[] }) => [one.name, one]),
    )
    expect(fields.get('_service')).toMatchObject({ type: { kind: 'NON_NULL', ofType: { name: '_Service' } } })
    expect(fields.get('_entities')).toMatchObject({
      type: { kind: 'NON_NULL', ofType: { kind: 'LIST' } },
      args: [{ name: 'representations' }],
    })
    expect(data.service.fields).toEqual([{ name: 'sdl' }])
    expect([data.any.kind, data.entity.kind]).toEqual(['SCALAR', 'UNION'])
    const entities = data.entity.possibleTypes.map((one: { name: string }) => one.name)
    expect(entities).toEqual(expect.arrayContaining(['Subscriber']))
  })

  it('SUBGRAPH-SPEC-03 MUST resolve subscribers in the sequence in which they are requested', async () => {
    const numbers = ['+96892000001', '+96891000001', '+96891000002']
    const r = numbers.map(mobileNumber => ({ __typename: 'Subscriber', mobileNumber }))
    const { data, errors } = await ask(name, ENTITIES('... on Subscriber { mobileNumber }'), { r })
    expect(errors).toEqual([])
    expect(data._entities).toEqual(r)
  })

  it('SUBGRAPH-SPEC-04 MUST answer no representations with no entities, and refuse wrong ones', async () => {
    expect((await ask(name, ENTITIES(''), { r: [] })).data).toEqual({ _entities: [] })
    for (const r of [[{ mobileNumber: '+96891000001' }], [{ __typename: 'Nothing' }]]) {
      const { status, data, errors } = await ask(name, ENTITIES(''), { r })
      expect([status, data]).toEqual([400, undefined])
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT' } }])
    }
  })

  it('SUBGRAPH-SPEC-05 MUST refuse a client without a token, or with a wrong one, also at _service and _entities', async () => {
    const { address } = subgraphs.of(name)
    const r = [{ __typename: 'Subscriber', mobileNumber: '+96891000001' }]
    for (const query of ['{ _service { sdl } }', ENTITIES(''), '{ __typename }']) {
      for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
        const { status, data, errors } = await createGraph(address)(query, { headers, variables: { r } })
        expect([status, data]).toEqual([401, undefined])
        expect(errors[0]!.extensions.code).toBe('UNAUTHORIZED')
      }
    }
  })

  it('SUBGRAPH-SPEC-06 MUST close a WebSocket without a token with 4401, with a wrong one with 4403', async () => {
    const { address } = subgraphs.of(name)
    using without = connect(address)
    expect(await without.closed).toMatchObject({ code: 4401 })
    using wrong = connect(address, bearer('wrong'))
    expect(await wrong.closed).toMatchObject({ code: 4403 })
  })
})

describe('all', () => {
  it('SUBGRAPH-SPEC-10 MUST compose to the checked-in supergraph from what they tell', async () => {
    const documents = await Promise.all(
      SERVICES.map(async ({ name, port }) => ({
        name,
        url: `http://127.0.0.1:${port}/graphql`,
        typeDefs: parse(await sdlOf(name)),
      })),
    )
    expect(compose(documents)).toBe(readSupergraph())
  })
})
