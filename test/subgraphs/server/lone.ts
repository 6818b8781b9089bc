/** Shared by the tests of Apollo’s specification: each service alone, with tokens. */

import { afterAll, beforeAll } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { createGraph } from '../../support/graph.ts'
import { type LoneSubgraphs, startSubgraphs } from '../../support/subgraph.ts'

export let subgraphs: LoneSubgraphs

export let token: string

export let other: string

export const ask = (name: string, query: string, variables?: object, as: string | undefined = token) =>
  createGraph(subgraphs.of(name).address)(query, { token: as, variables })

export const ENTITIES = (fields: string) =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ${fields} } }`

/** Starts the services before the file’s tests. */
export const useLoneSubgraphs = () => {
  beforeAll(async () => {
    subgraphs = await startSubgraphs(SERVICES.map(({ name }) => name))
    token = await subgraphs.token()
    other = await subgraphs.token('demo-partner-2')
  })
  afterAll(() => subgraphs?.[Symbol.asyncDispose]())
}
