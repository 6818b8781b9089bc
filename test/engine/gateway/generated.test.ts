/** Compiled operations answer as Apollo Gateway does: generated operations over the project's own supergraph. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  compareFaulty,
  compareGood,
  type OwnSupergraph,
  openOwnSupergraph,
} from './support/own-supergraph.ts'

/** A fraction of it, unless the machine is very busy. */
const TIMEOUT = 300_000

describe('generated operations', { timeout: TIMEOUT }, () => {
  let own: OwnSupergraph
  beforeAll(async () => {
    own = await openOwnSupergraph()
  }, TIMEOUT)
  afterAll(() => own.both[Symbol.asyncDispose]())

  it('COMPILED-SAME-01 MUST be answered the same', () => compareGood(own, [0, 150]))

  it('COMPILED-SAME-02 MUST be answered the same where subgraphs fail', () => compareFaulty(own, [0, 50]))
})
