/** The stub subgraphs composed into one supergraph. */
import { compose } from '#gateway/supergraph/document.ts'
import { STUBS, type Stub } from './stub-subgraphs.ts'

/** The supergraph, with the subgraphs at this port and those after it. */
export const supergraphOf = (port: number, stubs: readonly Stub[] = STUBS): string =>
  compose(
    stubs.map(({ name, typeDefs }, index) => ({
      name,
      typeDefs,
      url: `http://127.0.0.1:${port + index}/graphql`,
    })),
  )
