/**
 * Compiled operations take steps of Apollo Gateway that it does not export, and its private fields. A new version may
 * change them without a word: here each is held, so that none is taken unseen.
 */
import { Schema } from '@apollo/federation-internals'
import { ApolloGateway } from '@apollo/gateway'
import { QueryPlanner } from '@apollo/query-planner'
import { GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import {
  applyRewrites,
  computeResponse,
  deepMerge,
  type GatewayInternals,
  generateHydratedPaths,
  internalsOf,
  isObjectOfType,
} from '#gateway/third-party/apollo-internals.ts'
import { readText } from '../../support/sources.ts'

/** Versions whose sources were read for engine/; docs/architecture.md, "Upgrading graphql or Apollo", says how to raise one. */
const READ = {
  '@apollo/gateway': '2.14.4',
  '@apollo/query-planner': '2.14.4',
  '@apollo/federation-internals': '2.14.4',
  '@apollo/server': '5.5.1',
}

describe('Apollo internals', () => {
  let gateway: ApolloGateway
  let parts: GatewayInternals
  beforeAll(async () => {
    gateway = new ApolloGateway({ supergraphSdl: readSupergraph(), buildService: () => ({}) as never })
    await gateway.load()
    parts = internalsOf(gateway)
  })
  afterAll(() => gateway.stop())

  it.each(Object.entries(READ))(
    'APOLLO-INTERNALS-01 MUST be those that were read: %s %s',
    (name, version) => {
      const { version: installed } = JSON.parse(readText(`node_modules/${name}/package.json`))
      expect(installed, `${name} changed: see "Upgrading graphql or Apollo" in docs/architecture.md`).toBe(
        version,
      )
    },
  )

  it('APOLLO-INTERNALS-02 MUST have the private fields of a loaded gateway', () => {
    expect(parts.planner).toBeInstanceOf(QueryPlanner)
    expect(parts.api).toBeInstanceOf(Schema)
    expect(parts.schema).toBeInstanceOf(GraphQLSchema)
    expect(parts.supergraphSchema).toBeInstanceOf(GraphQLSchema)
    expect(parts.planning).toEqual({
      recursiveSelectionsLimitDisabled: false,
      nonLocalSelectionsLimitDisabled: false,
    })
  })

  it('APOLLO-INTERNALS-03 MUST take what they are given', () => {
    const steps = { applyRewrites, computeResponse, deepMerge, generateHydratedPaths, isObjectOfType }
    const given = Object.entries(steps).map(([name, step]) => [name, step.length])
    // A parameter with a default is not counted.
    expect(Object.fromEntries(given)).toEqual({
      applyRewrites: 3,
      computeResponse: 1,
      deepMerge: 2,
      generateHydratedPaths: 4,
      isObjectOfType: 3,
    })
  })

  it('APOLLO-INTERNALS-04 MUST do what compiled operations leave to them', () => {
    expect(deepMerge({ a: [{ b: 1 }] }, { a: [{ c: 2 }], d: undefined })).toEqual({ a: [{ b: 1, c: 2 }] })
    const places: (string | number)[][] = []
    generateHydratedPaths([], ['a', '@', 'b'], { a: [{ b: 1 }, null, { b: 2 }] }, places)
    expect(places).toEqual([
      ['a', 0, 'b'],
      ['a', 2, 'b'],
    ])
    expect(isObjectOfType(parts.supergraphSchema, { __typename: 'Payment' }, 'Transaction')).toBe(true)
    const entity = { __typename: 'Payment', a: 1 }
    applyRewrites(parts.supergraphSchema, [{ kind: 'KeyRenamer', path: ['a'], renameKeyTo: 'b' }], entity)
    expect(entity).toEqual({ __typename: 'Payment', b: 1 })
  })
})
