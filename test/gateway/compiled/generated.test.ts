/** Compiled operations answer as Apollo Gateway does: generated operations over the project's own supergraph. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  compareFaulty,
  compareGood,
  type OwnSupergraph,
  openOwnSupergraph,
} from './support/own-supergraph.ts'

describe('generated operations', () => {
  let own: OwnSupergraph
  beforeAll(async () => {
    own = await openOwnSupergraph()
  })
  afterAll(() => own.both[Symbol.asyncDispose]())

  it('COMPILED-SAME-01 MUST be answered the same', () => compareGood(own, [0, 150]))

  it('COMPILED-SAME-02 MUST be answered the same where subgraphs fail', () => compareFaulty(own, [0, 75]))
})
